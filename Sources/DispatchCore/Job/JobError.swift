/// Why a job or an installation is refused, said so that its sender can mend it.
public struct JobError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: Code

    /// The member it is about, as a JSONPath such as `$.content.badge`; `message_id` for the AMQP property.
    public let path: String

    /// The byte of the body (for `invalidJSON`) or of the expression (for `badExpression` and
    /// `badTemplate`), counted from 0.
    public let offset: Int?

    /// A whole sentence; it quotes at most 40 characters of the document.
    public let reason: String

    /// Takes the parts; `path` starts at the value that is being read.
    public init(_ code: Code, path: String = "$", offset: Int? = nil, reason: String) {
        self.code = code
        self.path = path
        self.offset = offset
        self.reason = reason
    }

    /// The kinds of mistake; the raw value is for machines and never changes.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// The body is longer than 1 MiB.
        case bodyTooLarge

        /// The body is not JSON by RFC 8259, or has a member twice, U+0000 or the like.
        case invalidJSON

        /// A member that has no meaning here.
        case unknownMember

        /// A member that is needed and not there.
        case missingMember

        /// A member the hub writes itself.
        case reservedMember

        /// Members that exclude each other.
        case conflictingMembers

        /// Another kind of JSON value than expected; null is one.
        case wrongType

        /// A value outside of what is allowed, or a text that is empty.
        case outOfRange

        /// A text of more bytes than allowed.
        case tooLong

        /// A list of more elements than allowed.
        case tooMany

        /// A text without the form that its meaning demands.
        case invalidFormat

        /// A tag expression that cannot be read.
        case badExpression

        /// An installation's template that cannot be read, or is not for its platform.
        case badTemplate

        /// A list of nobody.
        case emptyAudience

        /// The body's `id` and the message's `message_id` differ.
        case idMismatch

        /// A job that none of the platforms it is for could be sent.
        case unsendable

        /// Something documented that this version cannot do yet.
        case notAvailable
    }
}

extension JobError: CustomStringConvertible {
    /// Code, path and reason in one line that is safe to log.
    public var description: String { "\(code.rawValue) at \(path): \(reason)" }
}

extension JobError {
    /// The same error, seen from the object whose member `name` it is in.
    func under(_ name: String) -> JobError {
        prefixed(by: Self.isPlain(name) ? ".\(name)" : "['\(Self.excerpt(of: name))']")
    }

    /// The same error, seen from the array whose element `index` it is in.
    func under(_ index: Int) -> JobError {
        prefixed(by: "[\(index)]")
    }

    /// What may be repeated of a text that came from outside: 40 characters, controls and quotes replaced.
    static func excerpt(of text: String) -> String {
        let scalars = text.unicodeScalars.prefix(40).map { scalar in
            scalar.properties.generalCategory == .control || scalar == "'" ? "\u{FFFD}" : scalar
        }
        var excerpt = String(String.UnicodeScalarView(scalars))
        if text.unicodeScalars.count > 40 { excerpt += "…" }
        return excerpt
    }

    private func prefixed(by step: String) -> JobError {
        guard path.hasPrefix("$") else { return self }
        return JobError(code, path: "$" + step + path.dropFirst(), offset: offset, reason: reason)
    }

    private static func isPlain(_ name: String) -> Bool {
        guard let first = name.utf8.first, name.utf8.count <= 40, !JSONReader.isDigit(first) else { return false }
        return name.utf8.allSatisfy { byte in
            JSONReader.isDigit(byte) || byte == UInt8(ascii: "_")
                || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF
        }
    }
}
