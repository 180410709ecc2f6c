import DispatchCore

/// Shows the access keys, without their secrets.
struct KeysListCommand: Command {
    static let words = ["keys", "list"]
    static let summary = "show the access keys, without secrets"
    static let help = """
        Usage: dispatcher keys list [--json]

        Prints name, hub, rights and times of every key, one a line.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        for entry in try await KeyReport.withStore({ try await $0.list() }) {
            let fields = [
                ("name", entry.name), ("hub", entry.hub), ("rights", entry.rights.description),
                ("createdAt", entry.createdAt.rfc3339), ("rotatedAt", entry.rotatedAt?.rfc3339 ?? "never"),
            ]
            print(isJSON ? KeyReport.text(fields, isJSON: true) : fields.map(\.1).joined(separator: "\t"))
        }
    }
}
