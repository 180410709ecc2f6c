/// Shows the hubs and their settings.
struct HubsListCommand: Command {
    static let words = ["hubs", "list"]
    static let summary = "show the hubs and their settings"
    static let help = """
        Usage: dispatcher hubs list [--json]

        Prints name, inbox, badge sync, APNs topic and time zone of every hub, one a line.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        for entry in try await HubReport.withStore({ try await $0.list() }) {
            print(HubReport.text(entry, isJSON: isJSON))
        }
    }
}
