/// Why a text is no tag expression, and where.
public struct TagExpressionError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: Code

    /// The byte of the UTF-8 text at which it was noticed, counted from 0.
    public let offset: Int

    /// What would have been right, as a phrase.
    public let expected: String

    /// What stands there instead, as a phrase: one character at most.
    public let found: String

    /// Takes the four parts.
    public init(code: Code, offset: Int, expected: String, found: String) {
        self.code = code
        self.offset = offset
        self.expected = expected
        self.found = found
    }

    /// The kinds of mistake; the raw value is for machines.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// Something that cannot stand here, or the end too early.
        case unexpected

        /// A tag of more than 120 bytes, or an id of none or more than 256.
        case badLength

        /// More than 64 parentheses and `!` inside each other.
        case tooDeep

        /// More than 16 KiB.
        case tooLong
    }
}

extension TagExpressionError: CustomStringConvertible {
    /// A sentence that is safe to log.
    public var description: String { "Expected \(expected) at byte \(offset) of the expression, found \(found)." }
}
