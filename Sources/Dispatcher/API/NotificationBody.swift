import DispatchCore
import HTTP

/// The document of a notification with content, and the job that tells of it.
///
/// What the job says depends on nothing but the document and the content, so the same request by the same id makes the
/// same job.
struct NotificationBody {
    /// The job's document, without the hub.
    let job: [UInt8]

    init(_ upload: NotificationUpload, caller: Caller, newID: UUIDValue) throws {
        var members = Members()
        for member in upload.document.value.members ?? [] { try members.read(member) }
        let document = JSONValue.object([
            JSONMember(name: "id", value: members.id ?? .string(newID.description)),
            JSONMember(name: "hub", value: .string(caller.hubName)),
            JSONMember(name: "to", value: try caller.target(members.target)),
            JSONMember(name: "content", value: .object(members.told(type: upload.content.type))),
            JSONMember(name: "options", value: .object(members.keptOptions)),
        ])
        try upload.document.checkHub(caller)
        do throws(JobError) {
            _ = try SendJob(decoding: document, messageID: nil)
        } catch {
            throw Problem(Self.asWritten(error))
        }
        job = JSONWriter.encode(document)
    }

    /// The members as they came.
    private struct Members {
        var id: JSONValue?
        var target: JSONValue?
        var options: [JSONMember] = []
        var content: [JSONMember] = []
        var rich: [JSONMember] = []

        mutating func read(_ member: JSONMember) throws {
            switch member.name {
            case "hub": break
            case "id": id = member.value
            case "to": target = member.value
            case "message", "type": rich.append(member)
            case "options": options = try Self.object(member)
            case "content":
                content = try Self.object(member)
                guard !content.contains(where: { $0.name == "rich" }) else {
                    let detail = "The rich content is what is uploaded; its message and type stand beside content."
                    throw Problem(.badRequest, "reservedMember", detail, path: "$.content.rich")
                }
            default:
                throw Problem(.badRequest, "unknownMember", "This member has no meaning here.", path: "$")
            }
        }

        private static func object(_ member: JSONMember) throws -> [JSONMember] {
            guard let members = member.value.members else {
                let detail = "Must be an object, not \(member.value.kind)."
                throw Problem(.badRequest, "wrongType", detail, path: "$.\(member.name)")
            }
            return members
        }

        /// The neutral content with the rich one; an attachment of it has its type.
        func told(type: String) -> [JSONMember] {
            content.map { $0.name == "attachment" ? Self.typed($0, ContentType.essence(type)) : $0 }
                + [JSONMember(name: "rich", value: .object(rich))]
        }

        private static func typed(_ attachment: JSONMember, _ type: String) -> JSONMember {
            guard let members = attachment.value.members else { return attachment }
            guard attachment.value["url"] == nil, attachment.value["type"] == nil else { return attachment }
            let typed = members + [JSONMember(name: "type", value: .string(type))]
            return JSONMember(name: attachment.name, value: .object(typed))
        }

        /// A notification with content is found again in the user's inbox, unless it says otherwise.
        var keptOptions: [JSONMember] {
            guard !options.contains(where: { $0.name == "inbox" }) else { return options }
            return options + [JSONMember(name: "inbox", value: .bool(true))]
        }
    }

    /// The error with the path of the document that the sender has written.
    private static func asWritten(_ error: JobError) -> JobError {
        let rich = "$.content.rich"
        guard error.path.hasPrefix(rich + ".") else { return error }
        return JobError(
            error.code,
            path: "$" + error.path.dropFirst(rich.count),
            offset: error.offset,
            reason: error.reason
        )
    }
}

extension Caller {
    /// Whom it is for: whom a service says, and a device's own user.
    fileprivate func target(_ target: JSONValue?) throws(Problem) -> JSONValue {
        guard let device else {
            guard let target else {
                throw Problem(.badRequest, "missingMember", "The member “to” is needed.", path: "$.to")
            }
            return target
        }
        guard let user = device.userID else {
            throw .forbidden("A device without a user has nobody to send to.")
        }
        let own = JSONValue.object([JSONMember(name: "users", value: .array([.string(user)]))])
        guard target == nil || target == own else {
            throw .forbidden("A device may only send to its own user; leave “to” out.")
        }
        return own
    }
}
