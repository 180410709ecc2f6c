/// SQL with its bound parameters, `$1` first.
public struct PostgresStatement: Sendable {
    /// The text; one statement.
    public let sql: String

    /// The values of `$1`, `$2`, and so on.
    public let parameters: [PostgresParameter]

    /// Whether each connection keeps it parsed under a name, looked up by its text and parameter types.
    public let prepared: Bool

    /// Makes a statement; leave `prepared` on unless the text is different every time.
    public init(_ sql: String, _ parameters: [PostgresParameter] = [], prepared: Bool = true) {
        self.sql = sql
        self.parameters = parameters
        self.prepared = prepared
    }

    /// The first word, which tells what is done and carries no value.
    var verb: Substring.UTF8View {
        let letters = sql.utf8.drop { $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\n") }
        let word = letters.prefix { $0 | 0x20 >= UInt8(ascii: "a") && $0 | 0x20 <= UInt8(ascii: "z") }
        return Substring(word).utf8
    }

    /// Refuses what cannot reach the server whole: text with a NUL, more parameters than the protocol counts.
    func validate(operation: @autoclosure () -> String) throws(PostgresError) {
        var sql = sql
        let isWhole = parameters.count <= 65_535 && parameters.allSatisfy(\.isSendable)
        if !isWhole || sql.withUTF8({ PostgresParameter.containsNUL($0) }) {
            throw PostgresError(.encoding, operation: operation())
        }
    }
}

extension PostgresParameter {
    fileprivate var isSendable: Bool {
        if case .refused = storage { false } else { true }
    }
}
