/// Where the jobs of `enqueue` come from.
enum JobSource: Sendable {
    /// One job made of arguments.
    case job([UInt8])

    /// A file with one job a line; `-` is standard input.
    case lines(path: String)

    func lines() throws -> AnySequence<NumberedLine> {
        switch self {
        case .job(let json): AnySequence([NumberedLine(number: 1, bytes: json, endOffset: json.count)])
        case .lines(let path): AnySequence(try LineReader(path: path))
        }
    }
}
