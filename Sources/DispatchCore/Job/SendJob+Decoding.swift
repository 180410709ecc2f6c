extension SendJob {
    /// Reads the body of a message; unknown members are refused.
    ///
    /// The id may stand in the body, in the message's `message_id` or, when they agree, in both. An empty `message_id` counts as none.
    public init(decoding body: [UInt8], messageID: String?) throws(JobError) {
        try self.init(decoding: JSONValue.body(body), messageID: messageID)
    }

    /// Reads a document that has been parsed already.
    public init(decoding document: JSONValue, messageID: String?) throws(JobError) {
        var bodyID: UUIDValue?
        var hub: String?
        var target: (audience: Audience, platforms: PlatformSet)?
        var content = OneOf<JobContent>()
        var options = SendOptions()
        try document.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": bodyID = try value.uuid()
            case "hub": hub = try value.hubName()
            case "to": target = try Self.target(value)
            case "content": content.add(.neutral(try Content(decoding: value)))
            case "native": content.add(try JobContent.native(decoding: value))
            case "template": content.add(try JobContent.template(decoding: value))
            case "options": options = try SendOptions(decoding: value)
            default: throw JobError.unknownMember
            }
        }
        let id = try Self.agreedID(bodyID, messageID)
        guard let target else { throw JobError.missing("to") }
        self.init(
            id: id,
            hub: hub ?? Self.defaultHub,
            audience: target.audience,
            platforms: target.platforms,
            content: try content.only(of: "content, native and template"),
            options: options
        )
    }

    /// The id in a body that need not be a job otherwise; nil when none can be read.
    public static func id(in body: [UInt8]) -> UUIDValue? {
        guard let document = try? JSONValue.body(body) else { return nil }
        var id: UUIDValue?
        try? document.forEachMember { (name, value) throws(JobError) in
            if name == "id" { id = try value.uuid() }
        }
        return id
    }

    private static func agreedID(_ bodyID: UUIDValue?, _ messageID: String?) throws(JobError) -> UUIDValue {
        guard let messageID, !messageID.isEmpty else {
            guard let bodyID else { throw JobError.missing("id") }
            return bodyID
        }
        guard let id = UUIDValue(messageID) else {
            throw JobError(.invalidFormat, path: "message_id", reason: "The message_id must be a UUID.")
        }
        guard bodyID == nil || bodyID == id else {
            throw JobError(.idMismatch, reason: "The id and the message_id differ.").under("id")
        }
        return id
    }

    private static func target(_ value: JSONValue) throws(JobError) -> (audience: Audience, platforms: PlatformSet) {
        var audience = OneOf<Audience>()
        var platforms: PlatformSet = []
        try value.forEachMember { (name, value) throws(JobError) in
            if name == "platforms" {
                platforms = try Self.platforms(value)
            } else {
                audience.add(try Audience.read(name, value))
            }
        }
        return (try audience.only(of: "tags, users, installations, channels and broadcast"), platforms)
    }

    private static func platforms(_ value: JSONValue) throws(JobError) -> PlatformSet {
        let list = try value.list(limit: Platform.allCases.count) { (element) throws(JobError) in
            try element.platform()
        }
        guard !list.isEmpty else { throw JobError(.emptyAudience, reason: "The list of platforms is empty.") }
        return PlatformSet(list)
    }
}

/// A choice that must have been made exactly once.
private struct OneOf<Choice> {
    private var choice: Choice?
    private var count = 0

    mutating func add(_ choice: Choice) {
        self.choice = choice
        count += 1
    }

    func only(of names: String) throws(JobError) -> Choice {
        guard count == 1, let choice else { throw JobError.exactlyOne(of: names, found: count) }
        return choice
    }
}
