/// Changes the settings of a hub.
struct HubsSetCommand: Command {
    static let words = ["hubs", "set"]
    static let summary = "change the settings of a hub"
    static let help = """
        Usage: dispatcher hubs set NAME [--inbox on|off] [--badge-sync on|off] [--apns-topic TOPIC]
                                   [--time-zone ZONE] [--json]

        --inbox on          keep notifications in their users' inboxes that say nothing of it themselves
        --badge-sync on     when a user reads on one device, send the others a silent push with the new badge
        --apns-topic TOPIC  the topic of installations that name none; an empty one takes it away
        --time-zone ZONE    the zone of installations that name none, such as Europe/Paris

        Running workers follow within 5 seconds.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: String
    private let settings: HubStore.Settings
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        guard let settings = try HubReport.settings(&arguments) else {
            throw UsageError("nothing to set: give --inbox, --badge-sync, --apns-topic or --time-zone")
        }
        self.settings = settings
        name = try arguments.positional("NAME")
    }

    func run() async throws {
        try await HubReport.withStore { store in
            try await store.set(name, settings)
            try await HubReport.print(name, store, isJSON: isJSON)
        }
    }
}
