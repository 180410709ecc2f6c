import FoundationEssentials
import Glibc

/// What a command tells a person meanwhile, on standard error so that standard output stays data.
enum Progress {
    static let isTerminal = isatty(STDERR_FILENO) == 1

    /// Writes one line.
    static func line(_ text: String) { write(text + "\n") }

    /// Redraws the line in place on a terminal; writes nothing elsewhere.
    static func redraw(_ text: String) {
        if isTerminal { write("\r\u{1B}[K" + text) }
    }

    /// Ends a redrawn line.
    static func finish() {
        if isTerminal { write("\n") }
    }

    /// A bar of `width` cells, filled by the share done.
    static func bar(done: Int, of total: Int, width: Int = 30) -> String {
        let filled = total == 0 ? width : min(width, width * done / total)
        return "[" + String(repeating: "#", count: filled) + String(repeating: ".", count: width - filled) + "]"
    }

    private static func write(_ text: String) {
        var text = text
        _ = text.withUTF8 { Glibc.write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}
