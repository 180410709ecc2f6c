import Crypto
import DispatchCore
import HTTP

/// Reads an upload that is one JSON document: `notification`, and `content` with its data in base64.
///
/// The body waits in a spool until all of it is there; only a few documents are in memory at a time.
struct DocumentUpload: Sendable {
    /// Octets of the body: a content of the greatest length in base64, and a notification.
    static let limit = (NewContent.limit + 2) / 3 * 4 + 256 * 1024

    let body: SpooledContent

    /// Reads it; the memory this takes is given back with the return.
    func read() throws -> NotificationUpload {
        let document = try JSONDocument(
            try body.read(0..<body.count),
            limits: JSONLimits(bytes: Self.limit, depth: JSONLimits.standard.depth)
        )
        for member in document.value.members ?? [] where member.name != "notification" && member.name != "content" {
            throw JobError(.unknownMember, reason: "The body has the members notification and content, and no other.")
        }
        guard let notification = document.value["notification"] else { throw Self.missing("notification") }
        guard notification.members != nil else {
            let detail = "Must be an object, not \(notification.kind)."
            throw Problem(.badRequest, "wrongType", detail, path: "$.notification")
        }
        guard let value = document.value["content"] else { throw Self.missing("content") }
        let content = try Self.content(value)
        return NotificationUpload(
            document: JSONDocument(notification),
            content: NewContent(
                octets: SpooledContent(content.bytes),
                type: content.type,
                name: FileName.cleaned(content.name),
                checksum: try SHA256.digest(of: content.bytes)
            )
        )
    }

    private static func content(_ value: JSONValue) throws(Problem) -> InlineContent {
        do throws(JobError) {
            return try InlineContent(decoding: value, limit: NewContent.limit)
        } catch {
            let problem = Problem(error)
            let path = "$.content" + error.path.dropFirst()
            guard error.code == .tooLong, error.path == "$.data" else {
                throw Problem(problem.status, problem.code, problem.detail, path: path)
            }
            throw .contentTooLarge
        }
    }

    private static func missing(_ member: String) -> Problem {
        Problem(.badRequest, "missingMember", "The body needs a member “\(member)”.", path: "$.\(member)")
    }
}
