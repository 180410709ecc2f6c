/// Text of strangers on a terminal: nothing in it may move the cursor or colour what follows.
enum ShownText {
    /// On one line, whatever is in it.
    static func line(_ text: String) -> String { shown(text, keeping: []) }

    /// With its own line breaks and tabs.
    static func block(_ text: String) -> String { shown(text, keeping: ["\n", "\t"]) }

    private static func shown(_ text: String, keeping kept: Set<Unicode.Scalar>) -> String {
        var scalars = String.UnicodeScalarView()
        for scalar in text.unicodeScalars {
            scalars.append(isControl(scalar) && !kept.contains(scalar) ? "\u{FFFD}" : scalar)
        }
        return String(scalars)
    }

    private static func isControl(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar.properties.generalCategory {
        case .control, .format, .lineSeparator, .paragraphSeparator: true
        default: false
        }
    }
}
