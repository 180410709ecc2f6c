import Crypto
import DispatchCore
import HTTP

/// Reads an upload in the form of multipart/form-data, piece by piece: the parts `notification` and `content`.
///
/// One task uses it.
final class FormUpload {
    private enum Part {
        case notification
        case content
    }

    /// Octets of the part `notification`: more than a push can carry.
    private static let documentLimit = 128 * 1024

    private var parser: MultipartParser
    private let spool: ContentSpool
    private let hash: SHA256Hash
    private var part: Part?
    private var document: [UInt8]?
    private var content: (type: String, name: String?, digest: [UInt8]?)?

    init(contentType: String?, budget: SpoolBudget) throws {
        parser = try MultipartParser(contentType: contentType)
        spool = ContentSpool(budget: budget)
        hash = try SHA256Hash()
    }

    /// Takes the next piece of the body.
    func take(_ bytes: [UInt8]) throws {
        for event in try parser.read(bytes) {
            switch event {
            case .partBegan(let header): try begin(header)
            case .data(let data): try add(data)
            case .partEnded: part = nil
            }
        }
    }

    /// The body has ended.
    func finish() throws -> NotificationUpload {
        try parser.finish()
        guard let document else { throw Self.missing("notification") }
        guard let content else { throw Self.missing("content") }
        let checksum = try hash.finish()
        try DigestField.check(checksum, against: content.digest)
        return NotificationUpload(
            document: try JSONDocument(document),
            content: NewContent(octets: spool.finish(), type: content.type, name: content.name, checksum: checksum)
        )
    }

    private func begin(_ header: MultipartPart) throws {
        switch header.name {
        case "notification" where document == nil:
            part = .notification
            document = []
        case "content" where content == nil:
            part = .content
            content = (
                type: try ContentType.checked(header.contentType), name: FileName.cleaned(header.fileName),
                digest: try DigestField.sha256(header.contentDigest)
            )
        case "notification", "content":
            throw Problem(.badRequest, "conflictingMembers", "The part is there twice.", path: header.name)
        default:
            let detail = "The form has the parts notification and content, and no other."
            throw Problem(.badRequest, "unknownMember", detail, path: "form")
        }
    }

    private func add(_ data: [UInt8]) throws {
        switch part {
        case .notification?:
            guard (document?.count ?? 0) + data.count <= Self.documentLimit else {
                let detail = "The notification has more than \(Self.documentLimit) bytes."
                throw Problem(.contentTooLarge, "bodyTooLarge", detail, path: "notification")
            }
            document?.append(contentsOf: data)
        case .content?:
            guard spool.count + data.count <= NewContent.limit else { throw Problem.contentTooLarge }
            try hash.update(data)
            try spool.append(data)
        case nil: break
        }
    }

    private static func missing(_ part: String) -> Problem {
        Problem(.badRequest, "missingMember", "The form needs a part “\(part)”.", path: part)
    }
}

extension Problem {
    static let contentTooLarge = Problem(
        .contentTooLarge,
        "bodyTooLarge",
        "The content has more than \(NewContent.limit) bytes.",
        path: "content"
    )
}
