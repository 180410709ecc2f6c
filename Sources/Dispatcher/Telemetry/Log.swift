import FoundationEssentials
import Glibc

/// Structured log lines (logfmt) on standard error.
///
/// Values are for people and machines alike: ids, counts, states and error names. Payloads, tokens and credentials have
/// no business here; errors log their safe `description`.
struct Log: Sendable {
    enum Level: Int, Sendable, CaseIterable, Comparable {
        case debug
        case info
        case warning
        case error

        static func < (left: Level, right: Level) -> Bool { left.rawValue < right.rawValue }

        init?(name: String) {
            guard let match = Level.allCases.first(where: { String(describing: $0) == name }) else { return nil }
            self = match
        }
    }

    let minimum: Level

    func debug(_ event: String, _ fields: KeyValuePairs<String, any Sendable> = [:]) { write(.debug, event, fields) }
    func info(_ event: String, _ fields: KeyValuePairs<String, any Sendable> = [:]) { write(.info, event, fields) }
    func warning(_ event: String, _ fields: KeyValuePairs<String, any Sendable> = [:]) {
        write(.warning, event, fields)
    }
    func error(_ event: String, _ fields: KeyValuePairs<String, any Sendable> = [:]) { write(.error, event, fields) }

    private func write(_ level: Level, _ event: String, _ fields: KeyValuePairs<String, any Sendable>) {
        guard level >= minimum else { return }
        var line = "time=\(Date.now.formatted(.iso8601)) level=\(level) event=\(Self.quoted(event))"
        for (key, value) in fields {
            line += " \(key)=\(Self.quoted(String(describing: value)))"
        }
        line += "\n"
        // One write a line, so that lines of several processes never mix in a shared file.
        var copy = line
        _ = copy.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    /// Quotes what would break the line, so that a value can never forge another one.
    static func quoted(_ value: String) -> String {
        let isPlain = !value.isEmpty && value.utf8.allSatisfy { $0 > 0x20 && $0 != 0x22 && $0 != 0x3D && $0 != 0x7F }
        guard !isPlain else { return value }
        var quoted = "\""
        for scalar in value.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case let control where control.value < 0x20 || control.value == 0x7F: quoted += "?"
            default: quoted.unicodeScalars.append(scalar)
            }
        }
        return quoted + "\""
    }
}
