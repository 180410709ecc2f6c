/// Why a template cannot be read, and where.
public struct TemplateError: Error, Hashable, Sendable {
    /// What went wrong.
    public let code: Code

    /// The value inside the body, as a JSONPath such as `$.aps.alert` or an XML path such as `/toast/@launch`.
    public let path: String

    /// The byte of the expression, or of the body when the body itself is at fault, counted from 0.
    public let offset: Int?

    /// A whole sentence that says what would have been right.
    public let reason: String

    /// Takes the parts.
    public init(_ code: Code, path: String = "$", offset: Int? = nil, reason: String) {
        self.code = code
        self.path = path
        self.offset = offset
        self.reason = reason
    }

    /// The kinds of mistake; the raw value is for machines and never changes.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// The body is not JSON.
        case invalidJSON

        /// The body is not XML that is taken here.
        case invalidXML

        /// The body is neither of the kinds that the platform takes.
        case unsupportedBody

        /// The body or a header breaks a rule of its platform.
        case platformRule

        /// Nothing follows the sign of an expression but its name.
        case missingOpenParenthesis

        /// An expression without its end.
        case missingCloseParenthesis

        /// A composite that does not end with a brace.
        case unclosedComposite

        /// A literal without its closing quote.
        case unclosedLiteral

        /// A composite, or a side of a plus, with nothing in it.
        case missingOperand

        /// Something between two operands that is no plus.
        case expectedOperator

        /// A beginning that is neither a sign nor a quote.
        case unexpectedToken

        /// `#` beside other operands.
        case hashInComposite

        /// `.` without the length that it needs.
        case missingLength

        /// `%` or `#` with a length.
        case lengthNotAllowed

        /// A length that is no number from 0 to 2,147,483,647.
        case invalidLength

        /// An expression that names no property.
        case missingProperty

        /// A name of other than ASCII letters, digits and underscores.
        case invalidPropertyName

        /// A name of more than 120 characters.
        case propertyNameTooLong

        /// A path of more than 32 steps.
        case pathTooDeep

        /// A default without its closing brace.
        case missingDefaultEnd

        /// `$body`, which Azure reserves and never gave a meaning.
        case bodyNotSupported
    }
}

extension TemplateError: CustomStringConvertible {
    /// Code, place and reason in one line that is safe to log.
    public var description: String { "\(code.rawValue) at \(place): \(reason)" }

    private var place: String {
        guard let offset else { return path }
        return "\(path), byte \(offset)"
    }
}

extension TemplateError {
    /// The same error, seen from the object whose member `name` it is in.
    func under(_ name: String) -> TemplateError {
        at(JobError(.badTemplate, path: path, reason: reason).under(name).path)
    }

    /// The same error, seen from the array whose element `index` it is in.
    func under(_ index: Int) -> TemplateError {
        at(JobError(.badTemplate, path: path, reason: reason).under(index).path)
    }

    /// The same error at another place.
    func at(_ path: String) -> TemplateError {
        TemplateError(code, path: path, offset: offset, reason: reason)
    }
}

extension JobError {
    /// The refusal of an installation that brings the template; its path is the template's member.
    init(_ error: TemplateError) {
        self.init(.badTemplate, offset: error.offset, reason: error.description)
    }
}
