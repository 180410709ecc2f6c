/// Makes a hub.
struct HubsCreateCommand: Command {
    static let words = ["hubs", "create"]
    static let summary = "make a hub: a tenant with devices and notifications of its own"
    static let help = """
        Usage: dispatcher hubs create NAME [--inbox on|off] [--badge-sync on|off] [--apns-topic TOPIC]
                                      [--time-zone ZONE] [--json]

        A name has 1 to 64 ASCII letters, digits, '.', '_' and '-'. The settings are those of 'dispatcher hubs set'; what is
        not said is off, and the zone is UTC.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: String
    private let settings: HubStore.Settings
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        settings = try HubReport.settings(&arguments) ?? HubStore.Settings()
        name = try arguments.positional("NAME")
        guard KeyReport.isName(name) else {
            throw UsageError("a hub's name has 1 to 64 ASCII letters, digits, '.', '_' and '-'")
        }
    }

    func run() async throws {
        try await HubReport.withStore { store in
            try await store.create(name, settings)
            try await HubReport.print(name, store, isJSON: isJSON)
        }
    }
}
