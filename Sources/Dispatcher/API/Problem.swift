import HTTP

/// An answer that says what is wrong, in the form of RFC 9457.
///
/// Nothing in it is a secret, and of what the client sent only names and places are repeated.
struct Problem: Error, Sendable, Equatable {
    let status: HTTPStatus
    /// For machines; never changes.
    let code: String
    /// The status in words.
    let title: String
    /// A sentence for people.
    let detail: String
    /// The place in the document, or the name of the parameter.
    var path: String?
    /// The byte of the body or the expression.
    var offset: Int?
    /// For 405, the value of Allow.
    var allow: String?
    /// For 429 and 503, seconds.
    var retryAfter: Int?

    init(_ status: HTTPStatus, _ code: String, _ detail: String, path: String? = nil, offset: Int? = nil) {
        self.status = status
        self.code = code
        self.detail = detail
        self.path = path
        self.offset = offset
        title = Self.titles[status.code] ?? "Request failed"
    }

    private static let titles = [
        400: "Bad request", 401: "Unauthorized", 403: "Forbidden", 404: "Not found", 405: "Method not allowed",
        408: "Request timeout", 409: "Conflict", 412: "Precondition failed", 413: "Content too large",
        415: "Unsupported media type", 417: "Expectation failed", 422: "Unprocessable content",
        429: "Too many requests", 431: "Header fields too large", 500: "Internal error", 501: "Not implemented",
        503: "Service unavailable",
    ]

    /// The one answer for an unknown key, a bad signature, an expired token and no token.
    static let unauthorized = Problem(
        .unauthorized,
        "unauthorized",
        "A valid SharedAccessSignature, Basic or Bearer authorization is needed."
    )

    static func forbidden(_ detail: String) -> Problem { Problem(.forbidden, "forbidden", detail) }

    static func tooManyFailures(seconds: Int) -> Problem {
        var problem = Problem(.tooManyRequests, "tooManyFailures", "Too many failed authorizations from this address.")
        problem.retryAfter = seconds
        return problem
    }

    static func unavailable(_ detail: String, seconds: Int = 2) -> Problem {
        var problem = Problem(.serviceUnavailable, "unavailable", detail)
        problem.retryAfter = seconds
        return problem
    }

    static func methodNotAllowed(allow: String) -> Problem {
        var problem = Problem(.methodNotAllowed, "methodNotAllowed", "This path does not take this method.")
        problem.allow = allow
        return problem
    }

    static let notFound = Problem(.notFound, "notFound", "There is nothing under this path.")
    static let preconditionFailed = Problem(
        .preconditionFailed,
        "preconditionFailed",
        "What is there is not what the conditions of the request say."
    )
}

extension Problem: CustomStringConvertible {
    /// Status and code, for the log: the path can hold names that a client has chosen.
    var description: String { "\(status.code) \(code)" }
}
