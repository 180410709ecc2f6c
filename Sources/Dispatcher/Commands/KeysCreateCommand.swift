/// Makes an access key and prints its secrets, once.
struct KeysCreateCommand: Command {
    static let words = ["keys", "create"]
    static let summary = "make an access key and print its secrets"
    static let help = """
        Usage: dispatcher keys create NAME --rights listen,send,manage [--hub NAME] [--endpoint URL] [--json]

        Makes a key that services sign their requests with: 'listen' registers devices, 'send' sends jobs, 'manage'
        searches installations and does everything the other two do. The two secrets and a connection string are printed
        now and never again. Names are unique across hubs.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: String
    private let rights: AccessRights
    private let hub: String
    private let endpoint: String
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        guard let rights = AccessRights(names: try arguments.option("--rights") ?? "") else {
            throw UsageError("--rights takes listen, send and manage, separated by commas")
        }
        self.rights = rights
        hub = try arguments.option("--hub") ?? "default"
        endpoint = try arguments.option("--endpoint") ?? "http://127.0.0.1:8080/"
        name = try arguments.positional("NAME")
        guard KeyReport.isName(name) else {
            throw UsageError("a key's name has 1 to 64 ASCII letters, digits, '.', '_' and '-'")
        }
    }

    func run() async throws {
        let (primary, secondary) = (try Secret.forKey(), try Secret.forKey())
        try await KeyReport.withStore { store in
            try await store.create(name, hub: hub, rights: rights, primary: primary, secondary: secondary)
        }
        let fields = [
            ("name", name), ("hub", hub), ("rights", rights.description), ("primary", primary),
            ("secondary", secondary), ("connection", KeyReport.connection(endpoint, name, primary)),
        ]
        print(KeyReport.text(fields, isJSON: isJSON))
    }
}
