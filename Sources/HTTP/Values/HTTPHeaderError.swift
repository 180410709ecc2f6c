/// Why a header field cannot be sent.
public enum HTTPHeaderError: Error, Sendable, Equatable {
    /// The name is not a token.
    case invalidName
    /// The value has a control character.
    case invalidValue
}
