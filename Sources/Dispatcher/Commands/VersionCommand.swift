/// Prints the version.
struct VersionCommand: Command {
    static let words = ["version"]
    static let summary = "print the version"
    static let help = """
        Usage: dispatcher version

        Prints the program's version.
        """

    init(_ arguments: inout ArgumentList) throws(UsageError) {}

    func run() async throws {
        print("dispatcher \(Version.current)")
    }
}
