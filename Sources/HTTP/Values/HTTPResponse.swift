/// An answer to a request.
///
/// Date, Content-Length, Transfer-Encoding and Connection are the server's business; fields of these names are not
/// sent from here.
public struct HTTPResponse: Sendable {
    /// What is sent after the header.
    public enum Body: Sendable {
        /// Nothing.
        case empty
        /// These octets.
        case bytes([UInt8])
        /// A part of a file, which must not shrink while it is sent: the client then gets less than was promised.
        case file(HTTPFile, Range<UInt64>)
        /// What is made while it is sent; the client is told no length.
        case stream(HTTPResponseStream)

        /// The number of octets; 0 where nobody knows it yet.
        public var count: UInt64 {
            switch self {
            case .empty, .stream: 0
            case .bytes(let bytes): UInt64(bytes.count)
            case .file(_, let range): range.upperBound - range.lowerBound
            }
        }
    }

    /// The status.
    public var status: HTTPStatus

    /// The header fields.
    public var headers: HTTPHeaders

    /// The content; for HEAD only its length is sent.
    public var body: Body

    /// Makes a response.
    public init(_ status: HTTPStatus, headers: HTTPHeaders = HTTPHeaders(), body: Body = .empty) {
        self.status = status
        self.headers = headers
        self.body = body
    }

    /// Makes a response with content of a type; a type that cannot stand in a field is left out.
    public init(_ status: HTTPStatus, contentType: StaticString, bytes: [UInt8]) {
        self.init(status, body: .bytes(bytes))
        try? headers.add("Content-Type", contentType.description)
    }

    /// Makes a JSON response.
    public static func json(_ status: HTTPStatus, _ bytes: [UInt8]) -> HTTPResponse {
        HTTPResponse(status, contentType: "application/json", bytes: bytes)
    }

    /// Makes a response of plain text.
    public static func text(_ status: HTTPStatus, _ text: String) -> HTTPResponse {
        HTTPResponse(status, contentType: "text/plain; charset=utf-8", bytes: Array(text.utf8))
    }
}
