import DispatchCore

/// Which notification a command is about: a job's id, and its hub where several have one with that id.
struct NotificationName: Sendable {
    let id: UUIDValue
    let hub: String?

    /// Takes `--hub HUB` and `ID` from the arguments.
    init(_ arguments: inout ArgumentList) throws(UsageError) {
        hub = try arguments.option("--hub")
        let text = try arguments.positional("ID")
        guard let id = UUIDValue(text) else { throw UsageError("'\(text)' is not a job id (a UUID)") }
        self.id = id
    }

    /// Asks the store; an id that says too little is a mistake of the call.
    func asking<R>(_ body: (NotificationName) async throws -> R) async throws -> R {
        do {
            return try await body(self)
        } catch let error as StatusStore.SeveralHubs {
            throw UsageError("\(id) is in the hubs \(error.hubs.joined(separator: ", ")); say which with --hub")
        }
    }

    /// What is said of one that is not there.
    var description: String { hub.map { "\(id) in the hub '\($0)'" } ?? "\(id)" }
}
