import DispatchCore
import HTTP

extension Problem {
    /// The problem document.
    func response(request: UUIDValue) -> HTTPResponse {
        var response = HTTPResponse(status, contentType: "application/problem+json", bytes: document(request: request))
        if status == .unauthorized {
            response.add("WWW-Authenticate", "SharedAccessSignature, Bearer, Basic realm=\"dispatcher\"")
        }
        if let allow { response.add("Allow", allow) }
        if let retryAfter { response.add("Retry-After", String(retryAfter)) }
        return response
    }

    private func document(request: UUIDValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("type")
        writer.string("urn:dispatcher:problem:\(code)")
        for (name, text) in [("title", title), ("detail", detail), ("code", code), ("instance", "urn:uuid:\(request)")]
        {
            writer.key(name)
            writer.string(text)
        }
        writer.key("status")
        writer.number(status.code)
        if let path {
            writer.key("path")
            writer.string(path)
        }
        if let offset {
            writer.key("offset")
            writer.number(offset)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension HTTPResponse {
    /// Adds a field whose value is the program's own; one that cannot be sent is left out.
    mutating func add(_ name: String, _ value: String) {
        try? headers.add(name, value)
    }
}
