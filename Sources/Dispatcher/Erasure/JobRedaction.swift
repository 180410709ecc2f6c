import DispatchCore

/// What is left of a job when people are erased from those it addresses.
enum JobRedaction: Sendable {
    /// It does not name them.
    case unaffected

    /// It is for nobody else.
    case emptied

    /// The same for the others, with a body that does not name them.
    case redacted(SendJob, body: [UInt8])

    /// Tells who is erased.
    typealias Test = (Tombstones.Kind, String) -> Bool

    init(_ job: SendJob, body: [UInt8], isErased: Test) {
        switch job.audience {
        case .broadcast: self = .unaffected
        case .users(let ids):
            self = Self.list("users", ids, job, body, isErased: { isErased(.user, $0) }, element: { .string($0) })
        case .installations(let ids):
            let isGone = { isErased(.installation, $0) }
            self = Self.list("installations", ids, job, body, isErased: isGone, element: { .string($0) })
        case .channels(let channels):
            let isGone = { (channel: DirectChannel) in isErased(.channel, channel.token) }
            self = Self.list("channels", channels, job, body, isErased: isGone, element: \.document)
        case .tags(let expression): self = Self.tags(expression, job, body, isErased)
        }
    }

    private static func list<Address>(
        _ name: String,
        _ addresses: [Address],
        _ job: SendJob,
        _ body: [UInt8],
        isErased: (Address) -> Bool,
        element: (Address) -> JSONValue
    ) -> JobRedaction {
        let left = addresses.filter { !isErased($0) }
        guard left.count < addresses.count else { return .unaffected }
        guard !left.isEmpty else { return .emptied }
        return replacing(name, by: .array(left.map(element)), job, body)
    }

    /// An expression of more than one term may select others too; the term then names nobody.
    private static func tags(
        _ expression: TagExpression,
        _ job: SendJob,
        _ body: [UInt8],
        _ isErased: Test
    ) -> JobRedaction {
        let left = expression.removing(isErased)
        guard left != expression else { return .unaffected }
        if left == TagExpression.nobody { return .emptied }
        return replacing("tags", by: .string(left.description), job, body)
    }

    private static func replacing(
        _ name: String,
        by value: JSONValue,
        _ job: SendJob,
        _ body: [UInt8]
    ) -> JobRedaction {
        guard let document = try? JSONParser.parse(body), let to = document["to"],
            let changed = document.setting("to", to.setting(name, value)),
            let left = try? SendJob(decoding: changed, messageID: job.id.description)
        else { return .emptied }
        return .redacted(left, body: JSONWriter.encode(changed))
    }
}

extension JSONValue {
    /// The object with another value for a member that it has.
    fileprivate func setting(_ name: String, _ value: JSONValue?) -> JSONValue? {
        guard let members, let value else { return nil }
        return .object(members.map { $0.name == name ? JSONMember(name: name, value: value) : $0 })
    }
}

extension TagExpression {
    /// A user whom no hub has: nobody is called so by chance.
    fileprivate static let nobody = TagExpression.user("erased-86c9b1f0")

    /// The expression with the terms that are erased replaced by one that selects nobody.
    fileprivate func removing(_ isErased: JobRedaction.Test) -> TagExpression {
        switch self {
        case .user(let id): isErased(.user, id) ? Self.nobody : self
        case .installation(let id): isErased(.installation, id) ? Self.nobody : self
        case .tag(let tag): tag.userName.map { isErased(.user, $0) } ?? false ? Self.nobody : self
        case .not(let operand): .not(operand.removing(isErased))
        case .and(let operands): .and(operands.map { $0.removing(isErased) })
        case .or(let operands): .or(operands.map { $0.removing(isErased) })
        }
    }
}

extension DirectChannel {
    /// As a job has it.
    fileprivate var document: JSONValue {
        let structured = platform == .browser ? try? JSONParser.parse(Array(token.utf8)) : nil
        var members = [
            JSONMember(name: "platform", value: .string(platform.name)),
            JSONMember(name: "token", value: structured ?? .string(token)),
        ]
        if environment == .sandbox { members.append(JSONMember(name: "environment", value: .string("sandbox"))) }
        if let topic { members.append(JSONMember(name: "topic", value: .string(topic))) }
        return .object(members)
    }
}
