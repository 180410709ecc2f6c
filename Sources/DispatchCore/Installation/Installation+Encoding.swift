extension Installation {
    /// The document that reads as this installation, without its hub; members that say nothing are left out.
    public var document: JSONValue {
        var members = [JSONMember(name: "installationId", value: .string(id))]
        func add(_ name: String, _ value: JSONValue?) {
            if let value { members.append(JSONMember(name: name, value: value)) }
        }
        add("userId", userID.map { .string($0) })
        add("platform", .string(platform.name))
        add("pushChannel", channelValue)
        add("environment", platform == .apns ? .string(environment.rawValue) : nil)
        add("topic", topic.map { .string($0) })
        add("tags", tags.isEmpty ? nil : .array(tags.map { .string($0.text) }))
        add("templates", templates)
        add("locale", locale.map { .string($0) })
        add("timeZone", timeZone.map { .string($0) })
        add("permission", .string(permission.name))
        add("expirationTime", expirationTime.map { .string($0.rfc3339) })
        return .object(members)
    }

    /// A browser's address is an object; it is kept as its text.
    private var channelValue: JSONValue {
        guard platform == .browser else { return .string(pushChannel) }
        return (try? JSONParser.parse(Array(pushChannel.utf8))) ?? .string(pushChannel)
    }
}
