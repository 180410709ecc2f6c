/// A gateway's address of one device, as text.
public enum PushChannel {
    /// The text to keep: the string itself, or for `browser` the members endpoint, p256dh and auth as compact JSON in this order.
    ///
    /// A browser's address may also come as a string that holds the object, as the Azure SDK for .NET sends it.
    static func text(of value: JSONValue, named name: String, platform: Platform) throws(JobError) -> String {
        do {
            guard platform == .browser else { return try plainText(of: value) }
            return try subscription(in: value)
        } catch {
            throw error.under(name)
        }
    }

    private static func plainText(of value: JSONValue) throws(JobError) -> String {
        let form = "an address without white space and control characters"
        return try value.text(upTo: JobLimits.channelBytes, form: form, IdentifierRules.isUnbroken)
    }

    private static func subscription(in value: JSONValue) throws(JobError) -> String {
        guard case .string(let text) = value else { return try canonicalText(of: value) }
        guard let inner = try? JSONParser.parse(Array(text.utf8), limits: JobLimits.json), inner.members != nil else {
            throw JobError(.wrongType, reason: "Must be an object of endpoint, p256dh and auth.")
        }
        return try canonicalText(of: inner)
    }

    private static func canonicalText(of value: JSONValue) throws(JobError) -> String {
        var endpoint: String?
        var p256dh: String?
        var auth: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "endpoint": endpoint = try plainText(of: value)
            case "p256dh": p256dh = try key(value)
            case "auth": auth = try key(value)
            default: throw JobError.unknownMember
            }
        }
        guard let endpoint else { throw JobError.missing("endpoint") }
        guard let p256dh else { throw JobError.missing("p256dh") }
        guard let auth else { throw JobError.missing("auth") }
        let text = written(endpoint: endpoint, p256dh: p256dh, auth: auth)
        guard text.utf8.count <= JobLimits.channelBytes else {
            throw JobError(.tooLong, reason: "Has more than \(JobLimits.channelBytes) bytes as JSON.")
        }
        return text
    }

    private static func written(endpoint: String, p256dh: String, auth: String) -> String {
        var writer = JSONWriter()
        writer.object([
            JSONMember(name: "endpoint", value: .string(endpoint)),
            JSONMember(name: "p256dh", value: .string(p256dh)),
            JSONMember(name: "auth", value: .string(auth)),
        ])
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    private static func key(_ value: JSONValue) throws(JobError) -> String {
        try value.text(upTo: InstallationLimits.keyBytes, form: "base64url") { text in
            text.utf8.allSatisfy { byte in
                JSONReader.isDigit(byte) || UInt8(ascii: "A")...UInt8(ascii: "Z") ~= byte & 0xDF
                    || "-_=".utf8.contains(byte)
            }
        }
    }
}
