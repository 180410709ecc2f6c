/// Gives an access key a new primary secret.
struct KeysRotateCommand: Command {
    static let words = ["keys", "rotate"]
    static let summary = "give an access key a new secret"
    static let help = """
        Usage: dispatcher keys rotate NAME [--endpoint URL] [--json]

        The primary secret becomes the secondary one, which stays good, and a new primary secret is printed, now and never
        again. Once every service has it, rotate a second time: then nobody can use the old one.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let name: String
    private let endpoint: String
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        isJSON = arguments.flag("--json")
        endpoint = try arguments.option("--endpoint") ?? "http://127.0.0.1:8080/"
        name = try arguments.positional("NAME")
    }

    func run() async throws {
        let secret = try Secret.forKey()
        try await KeyReport.withStore { try await $0.rotate(name, secret: secret) }
        let connection = KeyReport.connection(endpoint, name, secret)
        print(KeyReport.text([("name", name), ("primary", secret), ("connection", connection)], isJSON: isJSON))
    }
}
