/// One subcommand: what it is called, how it is explained, and what it does.
protocol Command: Sendable {
    /// The words that select it, such as `["installations", "import"]`.
    static var words: [String] { get }

    /// One line for the overview.
    static var summary: String { get }

    /// The whole text of `--help`, beginning with the usage line.
    static var help: String { get }

    /// Reads the arguments after the words; everything that is not taken is a usage error.
    init(_ arguments: inout ArgumentList) throws(UsageError)

    /// Does the work; data to standard output, everything else to standard error.
    func run() async throws
}
