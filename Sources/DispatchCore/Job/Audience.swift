/// Whom a job is for, before it is resolved.
public enum Audience: Hashable, Sendable {
    /// The installations that an expression selects.
    case tags(TagExpression)

    /// All installations of these users, each id once.
    case users([String])

    /// These installations, each id once.
    case installations([String])

    /// Addresses that need not be registered, each once.
    case channels([DirectChannel])

    /// Every installation of the hub.
    case broadcast
}

extension Audience {
    /// Users, installations and tags are refused by the same names in `to`; `platforms` is the caller's.
    static func read(_ name: String, _ value: JSONValue) throws(JobError) -> Audience {
        switch name {
        case "tags": .tags(try expression(value))
        case "users": .users(try ids(value) { (id) throws(JobError) in try id.userID() })
        case "installations": .installations(try ids(value) { (id) throws(JobError) in try id.installationID() })
        case "channels": .channels(try channels(value))
        case "broadcast": try broadcast(value)
        default: throw JobError.unknownMember
        }
    }

    private static func expression(_ value: JSONValue) throws(JobError) -> TagExpression {
        let text = try value.text(upTo: TagExpression.greatestLength)
        do {
            return try TagExpression(parsing: text)
        } catch {
            throw JobError(.badExpression, offset: error.offset, reason: error.description)
        }
    }

    private static func ids(
        _ value: JSONValue,
        _ read: (JSONValue) throws(JobError) -> String
    ) throws(JobError) -> [String] {
        try nobodyRefused(try value.list(limit: JobLimits.recipients, read)).withoutRepetitions()
    }

    private static func channels(_ value: JSONValue) throws(JobError) -> [DirectChannel] {
        let list = try value.list(limit: JobLimits.recipients) { (element) throws(JobError) in
            try DirectChannel(decoding: element)
        }
        var seen: Set<DirectChannel> = []
        return try nobodyRefused(list).filter { seen.insert($0).inserted }
    }

    private static func broadcast(_ value: JSONValue) throws(JobError) -> Audience {
        guard case .bool(let isBroadcast) = value else { throw value.wrongType(expected: "true") }
        guard isBroadcast else { throw JobError(.outOfRange, reason: "Must be true; leave the member out instead.") }
        return .broadcast
    }

    private static func nobodyRefused<Element>(_ list: [Element]) throws(JobError) -> [Element] {
        guard !list.isEmpty else { throw JobError(.emptyAudience, reason: "The list is empty: nobody would be told.") }
        return list
    }
}
