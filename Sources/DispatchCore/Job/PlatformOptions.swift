/// The options that one platform alone has.
public struct PlatformOptions: Hashable, Sendable {
    /// Which kind of push Apple is sent; nil follows from the content.
    public var pushType: APNsPushType?

    /// How urgent a browser's push is; nil follows from the priority.
    public var urgency: WebPushUrgency?

    /// What Windows is told; nil follows from the content.
    public var wns: WNSOptions?

    /// Makes options that all follow from the rest.
    public init() {}
}

extension PlatformOptions {
    /// Reads the member `name` of a job's options; false when it is none of these.
    mutating func read(_ name: String, _ value: JSONValue) throws(JobError) -> Bool {
        switch name {
        case "apns": pushType = try value.onlyMember("pushType", of: APNsPushType.self)
        case "browser": urgency = try value.onlyMember("urgency", of: WebPushUrgency.self)
        case "wns": wns = try WNSOptions(decoding: value)
        default: return false
        }
        return true
    }
}

extension JSONValue {
    /// Reads an object with exactly the member `member`.
    fileprivate func onlyMember<Choice: CaseIterable & RawRepresentable<String>>(
        _ member: String,
        of type: Choice.Type
    ) throws(JobError) -> Choice {
        var choice: Choice?
        try forEachMember { (name, value) throws(JobError) in
            guard name == member else { throw JobError.unknownMember }
            choice = try value.spelling(of: type)
        }
        guard let choice else { throw JobError.missing(member) }
        return choice
    }
}
