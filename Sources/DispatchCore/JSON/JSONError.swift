/// Why bytes are not the JSON this program takes, and where.
public struct JSONError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: Code

    /// The byte at which it was noticed, counted from 0.
    public let offset: Int

    /// What would have been right, as a phrase that follows "expected"; it quotes nothing of the document.
    public let expected: String

    /// Takes the three parts.
    public init(code: Code, offset: Int, expected: String) {
        self.code = code
        self.offset = offset
        self.expected = expected
    }

    /// The kinds of mistake; the raw value is for machines.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// A byte that cannot stand here.
        case unexpectedByte

        /// The document stops too early.
        case unexpectedEnd

        /// Something follows the value.
        case trailingBytes

        /// An object has two members with the same name.
        case duplicateKey

        /// A UTF-16 surrogate escape without its other half.
        case loneSurrogate

        /// U+0000 in a string, raw or escaped; no text column can hold it.
        case nulCharacter

        /// Bytes that are not UTF-8.
        case invalidUTF8

        /// A number that a double cannot hold, or one of more than 512 bytes.
        case numberOutOfRange

        /// More arrays and objects inside each other than allowed.
        case tooDeep

        /// A longer document than allowed.
        case tooLarge
    }

    /// The line and the byte in that line, both counted from 1, in the document the error is about.
    public func position(in bytes: [UInt8]) -> (line: Int, column: Int) {
        let before = bytes.prefix(offset)
        let line = before.count { $0 == UInt8(ascii: "\n") } + 1
        let lineStart = before.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
        return (line, before.count - lineStart + 1)
    }
}

extension JSONError: CustomStringConvertible {
    /// A sentence that is safe to log.
    public var description: String { "\(code.rawValue) at byte \(offset): expected \(expected)" }
}
