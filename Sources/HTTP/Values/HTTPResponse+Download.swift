extension HTTPResponse {
    /// Answers a GET or HEAD of a representation of known length: 200, 206, 304, 412 or 416.
    ///
    /// - Parameters:
    ///   - head: The request.
    ///   - contentType: The media type.
    ///   - length: The length of the whole representation.
    ///   - tag: The validator of the representation, which conditions and If-Range are compared with.
    ///   - content: Makes the content of a part of the representation; for 304 only its length is used.
    /// - Returns: The response with Accept-Ranges, ETag and, for a part, Content-Range.
    public static func download(
        _ head: HTTPRequestHead,
        contentType: String,
        length: UInt64,
        tag: EntityTag?,
        content: (Range<UInt64>) -> Body
    ) -> HTTPResponse {
        var headers = HTTPHeaders()
        try? headers.add("Accept-Ranges", "bytes")
        if let tag { try? headers.add("ETag", tag.field) }
        switch HTTPConditional.evaluate(head.headers, method: head.method, current: tag) {
        // A Content-Length of 304 must be that of the representation (RFC 9110 section 8.6), and the library sends one.
        case .notModified: return HTTPResponse(.notModified, headers: headers, body: content(0..<length))
        case .preconditionFailed: return HTTPResponse(.preconditionFailed, headers: headers)
        case .proceed: break
        }
        let applies = head.method == .get && HTTPConditional.rangeApplies(head.headers, current: tag)
        switch HTTPRange(applies ? head.headers["Range"] : nil, length: length) {
        case .whole:
            try? headers.add("Content-Type", contentType)
            return HTTPResponse(.ok, headers: headers, body: content(0..<length))
        case .part(let range):
            try? headers.add("Content-Type", contentType)
            try? headers.add("Content-Range", "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)")
            return HTTPResponse(.partialContent, headers: headers, body: content(range))
        case .unsatisfiable:
            try? headers.add("Content-Range", "bytes */\(length)")
            return HTTPResponse(.rangeNotSatisfiable, headers: headers)
        }
    }

    /// Answers a GET or HEAD of a file; 404 when it is not a regular file.
    public static func download(
        _ head: HTTPRequestHead,
        contentType: String,
        file: HTTPFile,
        tag: EntityTag?
    ) -> HTTPResponse {
        guard let size = file.size else { return HTTPResponse(.notFound) }
        return download(head, contentType: contentType, length: size, tag: tag) { .file(file, $0) }
    }
}
