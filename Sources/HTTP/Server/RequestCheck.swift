/// Rules that a request's header must keep before anyone acts on it.
enum RequestCheck {
    /// Why the end of the request cannot be known.
    struct Fault: Error, Equatable {
        let status: HTTPStatus
    }

    /// Fields that are refused when they come twice: two readers could take different ones.
    private static let singular = ["Host", "Authorization", "Content-Type", "Range", "Expect"]

    /// How the body is delimited.
    ///
    /// libmicrohttpd 0.9.75 takes Transfer-Encoding and ignores Content-Length when both are there, takes the first of
    /// several Content-Length fields, and reads a body of an unknown coding until the connection closes. A proxy in
    /// front may do otherwise, and then the rest of one request is read as another; so all of that is refused.
    static func framing(of headers: HTTPHeaders, version: String) -> Result<HTTPBodyFraming, Fault> {
        let lengths = headers.count(of: "Content-Length")
        let codings = headers.values(of: "Transfer-Encoding")
        guard lengths <= 1, codings.count <= 1, lengths + codings.count <= 1, areNamesTokens(headers) else {
            return .failure(Fault(status: .badRequest))
        }
        if let coding = codings.first {
            // "A server or client that receives an HTTP/1.0 message containing a Transfer-Encoding header field MUST treat
            // the message as if the framing is faulty" (RFC 9112 section 6.1).
            guard version != "HTTP/1.0" else { return .failure(Fault(status: .badRequest)) }
            guard ASCII.isEqual(coding.utf8, "chunked".utf8) else {
                return .failure(Fault(status: .notImplemented))
            }
            return .success(.chunked)
        }
        guard lengths == 1 else { return .success(.none) }
        guard let length = headers.bytes(of: "Content-Length").flatMap({ ASCII.decimal($0) }) else {
            return .failure(Fault(status: .badRequest))
        }
        return .success(.length(length))
    }

    /// The status of a request that must not be acted on, though its end is known.
    static func fault(in headers: HTTPHeaders, version: String) -> HTTPStatus? {
        // "A server MUST respond with a 400 status code to any HTTP/1.1 request message that lacks a Host header field"
        // (RFC 9112 section 3.2).
        guard version == "HTTP/1.0" || headers.count(of: "Host") == 1 else { return .badRequest }
        guard singular.allSatisfy({ headers.count(of: $0) <= 1 }) else { return .badRequest }
        if let expectation = headers["Expect"], !ASCII.isEqual(expectation.utf8, "100-continue".utf8) {
            return .expectationFailed
        }
        return nil
    }

    /// A name such as `Content-Length ` with a blank must not pass as another field.
    private static func areNamesTokens(_ headers: HTTPHeaders) -> Bool {
        headers.fieldsAreValid
    }
}
