/// What a job sends, in one of three languages.
///
/// Indirect, because a job is handed from step to step and its content is large.
public indirect enum JobContent: Hashable, Sendable {
    /// The hub writes every platform's payload.
    case neutral(Content)

    /// The sender wrote the payloads: an object each, for `wns` and `browser` also a text.
    case native([Platform: JSONValue])

    /// Properties for the installations' own templates, none of them null.
    case template([JSONMember])
}

extension JobContent {
    static func native(decoding value: JSONValue) throws(JobError) -> JobContent {
        var payloads: [Platform: JSONValue] = [:]
        try value.forEachMember { (name, value) throws(JobError) in
            guard let platform = Platform(name: name) else { throw JobError.unknownMember }
            switch value {
            case .object: break
            case .string(let text) where !text.isEmpty && takesText(platform): break
            case .string("") where takesText(platform):
                throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
            case .null, .bool, .number, .string, .array:
                throw value.wrongType(expected: takesText(platform) ? "an object or a text" : "a payload object")
            }
            payloads[platform] = value
        }
        guard !payloads.isEmpty else {
            throw JobError(.missingMember, reason: "At least one platform's payload is needed.")
        }
        return .native(payloads)
    }

    private static func takesText(_ platform: Platform) -> Bool { platform == .wns || platform == .browser }

    static func template(decoding value: JSONValue) throws(JobError) -> JobContent {
        try value.forEachMember { (_, value) throws(JobError) in
            guard value != .null else { throw value.wrongType(expected: "a value") }
        }
        let members = value.members ?? []
        guard members.count <= JobLimits.properties else {
            throw JobError(
                .tooMany,
                reason: "Has \(members.count) members; at most \(JobLimits.properties) are allowed."
            )
        }
        return .template(members)
    }
}
