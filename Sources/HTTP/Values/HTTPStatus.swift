/// A final status code, from 200 to 599.
///
/// The reason phrase is added by libmicrohttpd; clients ignore it (RFC 9112 section 4).
public struct HTTPStatus: Hashable, Sendable {
    /// The three digits.
    public let code: Int

    /// Makes a status of a code; one outside 200 to 599 becomes 500, since an interim answer is no answer.
    public init(_ code: Int) {
        self.code = (200...599).contains(code) ? code : 500
    }

    /// 200 OK.
    public static let ok = HTTPStatus(200)
    /// 201 Created.
    public static let created = HTTPStatus(201)
    /// 202 Accepted.
    public static let accepted = HTTPStatus(202)
    /// 204 No Content.
    public static let noContent = HTTPStatus(204)
    /// 206 Partial Content.
    public static let partialContent = HTTPStatus(206)
    /// 303 See Other.
    public static let seeOther = HTTPStatus(303)
    /// 304 Not Modified.
    public static let notModified = HTTPStatus(304)
    /// 400 Bad Request.
    public static let badRequest = HTTPStatus(400)
    /// 401 Unauthorized.
    public static let unauthorized = HTTPStatus(401)
    /// 403 Forbidden.
    public static let forbidden = HTTPStatus(403)
    /// 404 Not Found.
    public static let notFound = HTTPStatus(404)
    /// 405 Method Not Allowed.
    public static let methodNotAllowed = HTTPStatus(405)
    /// 408 Request Timeout.
    public static let requestTimeout = HTTPStatus(408)
    /// 409 Conflict.
    public static let conflict = HTTPStatus(409)
    /// 412 Precondition Failed.
    public static let preconditionFailed = HTTPStatus(412)
    /// 413 Content Too Large.
    public static let contentTooLarge = HTTPStatus(413)
    /// 415 Unsupported Media Type.
    public static let unsupportedMediaType = HTTPStatus(415)
    /// 416 Range Not Satisfiable.
    public static let rangeNotSatisfiable = HTTPStatus(416)
    /// 417 Expectation Failed.
    public static let expectationFailed = HTTPStatus(417)
    /// 422 Unprocessable Content.
    public static let unprocessableContent = HTTPStatus(422)
    /// 429 Too Many Requests.
    public static let tooManyRequests = HTTPStatus(429)
    /// 431 Request Header Fields Too Large.
    public static let headerFieldsTooLarge = HTTPStatus(431)
    /// 500 Internal Server Error.
    public static let internalServerError = HTTPStatus(500)
    /// 501 Not Implemented.
    public static let notImplemented = HTTPStatus(501)
    /// 503 Service Unavailable.
    public static let serviceUnavailable = HTTPStatus(503)
}
