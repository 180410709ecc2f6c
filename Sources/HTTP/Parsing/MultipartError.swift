/// Why a multipart body is refused.
public enum MultipartError: Error, Sendable, Equatable {
    /// The boundary is missing, too long or has a character it may not have.
    case invalidBoundary
    /// A delimiter, a header or the end is not where it should be.
    case malformed
    /// A part's header, the preamble or the number of parts is beyond its limit.
    case limit
    /// The body ended before the closing delimiter.
    case truncated
}
