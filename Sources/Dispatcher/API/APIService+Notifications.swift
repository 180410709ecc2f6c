import Crypto
import DispatchCore
import HTTP

extension APIService {
    /// Keeps a content and tells its audience of it: it is stored before its job is published.
    func postNotification(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let caller = try request.caller
        let type = request.http.headers["Content-Type"].flatMap { MediaType($0) }
        switch type?.essence {
        case "multipart/form-data": return try await take(try await form(request), from: caller)
        case "application/json":
            let body = try await document(request)
            await contents.documents.acquire(1)
            defer { contents.documents.release(1) }
            return try await take(try DocumentUpload(body: body).read(), from: caller)
        default:
            let detail = "The body must be multipart/form-data or application/json."
            throw Problem(.unsupportedMediaType, "unsupportedMediaType", detail)
        }
    }

    private func take(_ upload: NotificationUpload, from caller: Caller) async throws -> HTTPResponse {
        let body = try NotificationBody(upload, caller: caller, newID: newID())
        let job = try await resolved(try JobBody(body.job, caller: caller, rules: jobRules), caller: caller)
        let store = ContentStore(pool: pool, hub: caller.hub)
        let outcome = try await store.put(upload.content, of: job)
        guard outcome != .conflict else {
            throw Problem(.conflict, "conflictingContent", "Another content was uploaded by this id.", path: "$.id")
        }
        do {
            _ = try await jobs.take(job, hub: caller.hub)
        } catch {
            // The id is another notification's, of which this content is no part.
            if outcome == .stored, (error as? Problem)?.status == .conflict { try await store.remove(job.job.id) }
            throw error
        }
        try await store.markPublished(job.job.id)
        return Self.accepted(job.job.id, upload.content)
    }

    private func form(_ request: APIRequest) async throws -> NotificationUpload {
        let upload = try FormUpload(contentType: request.http.headers["Content-Type"], budget: contents.budget)
        try await drain(request) { try upload.take($0) }
        return try upload.finish()
    }

    private func document(_ request: APIRequest) async throws -> SpooledContent {
        let spool = ContentSpool(budget: contents.budget)
        try await drain(request) { try spool.append($0) }
        return spool.finish()
    }

    /// Hands the body on piece by piece, and checks it against the request's own digest if there is one.
    private func drain(_ request: APIRequest, _ body: ([UInt8]) throws -> Void) async throws {
        let wanted = try DigestField.sha256(request.http.headers["Content-Digest"])
        let hash = try wanted.map { _ in try SHA256Hash() }
        guard case .stream(let stream) = request.http.body else { return try body(request.http.bytes) }
        while let piece = try await stream.next() {
            try hash?.update(piece)
            try body(piece)
        }
        if let hash { try DigestField.check(try hash.finish(), against: wanted) }
    }

    private static func accepted(_ id: UUIDValue, _ content: NewContent) -> HTTPResponse {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, text) in [("id", id.description), ("state", "queued"), ("type", content.type)] {
            writer.key(name)
            writer.string(text)
        }
        writer.key("length")
        writer.number(content.octets.count)
        writer.key("checksum")
        writer.string(content.checksum.hexadecimal)
        writer.endObject()
        var response = HTTPResponse.json(.accepted, writer.bytes)
        response.add("Location", "/api/notifications/\(id)")
        return response
    }
}

extension [UInt8] {
    /// Two digits in lower case for each octet.
    var hexadecimal: String {
        let digits = [UInt8]("0123456789abcdef".utf8)
        return String(decoding: flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }
}
