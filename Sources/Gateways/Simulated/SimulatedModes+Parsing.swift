import DispatchCore

extension SimulatedModes {
    /// Reads `{"apns": {"answer": "unavailable", "share": 0.5}, "*": {"answer": "ok", "latencyMs": 40}}`.
    ///
    /// `*` stands for each platform without a member of its own. A text of several lines may also be one such object
    /// a line; where two name the same platform the later one counts.
    public init(parsing text: [UInt8]) throws(SimulatedGateway.ConfigurationError) {
        var members: [JSONMember] = []
        for document in try Self.documents(in: text) {
            guard let found = document.members else {
                throw .init(item: document.kind, reason: "expected an object whose members are platforms or “*”")
            }
            members += found
        }
        self.init()
        for member in members where member.name == "*" { try set(Platform.allCases, to: member.value) }
        for member in members where member.name != "*" {
            guard let platform = Platform(name: member.name) else {
                let names = Platform.allCases.map(\.name).joined(separator: ", ")
                throw .init(item: member.name, reason: "unknown platform; there are \(names) and “*”")
            }
            try set([platform], to: member.value)
        }
    }

    private mutating func set(
        _ platforms: [Platform],
        to value: JSONValue
    ) throws(SimulatedGateway.ConfigurationError) {
        let mode = try SimulatedMode(value)
        for platform in platforms { self[platform] = mode }
    }

    private static func documents(in text: [UInt8]) throws(SimulatedGateway.ConfigurationError) -> [JSONValue] {
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") || $0 == UInt8(ascii: "\r") })
        do {
            return [try JSONParser.parse(text)]
        } catch {
            guard lines.count > 1, let documents = try? lines.map({ try JSONParser.parse(Array($0)) }) else {
                throw .init(item: "modes", reason: "no JSON: expected \(error.expected) at byte \(error.offset)")
            }
            return documents
        }
    }
}

extension SimulatedMode {
    fileprivate init(_ value: JSONValue) throws(SimulatedGateway.ConfigurationError) {
        guard let word = value["answer"]?.string, let answer = Answer(rawValue: word) else {
            let words = Answer.allCases.map(\.rawValue).joined(separator: ", ")
            throw .init(item: "answer", reason: "expected one of \(words)")
        }
        self.init(answer)
        for member in value.members ?? [] {
            switch member.name {
            case "answer": break
            case "share": share = try Self.number(member, upTo: 1)
            case "retryAfter": retryAfter = try Self.field(member)
            case "latencyMs": latency = .microseconds(Int64(try Self.number(member, upTo: 3_600_000) * 1e3))
            default:
                let names = "answer, share, retryAfter, latencyMs"
                throw .init(item: member.name, reason: "unknown member; there are \(names)")
            }
        }
    }

    /// Whole seconds, or the field as a gateway writes it, such as a date.
    private static func field(_ member: JSONMember) throws(SimulatedGateway.ConfigurationError) -> String {
        if let text = member.value.string, RetryAfter.pause(text, now: Timestamp(seconds: 0)) != nil { return text }
        guard case .number(let number) = member.value, let seconds = number.int64, seconds >= 0 else {
            throw .init(item: member.name, reason: "expected whole seconds or a date as in HTTP")
        }
        return String(seconds)
    }

    private static func number(
        _ member: JSONMember,
        upTo limit: Double
    ) throws(SimulatedGateway.ConfigurationError) -> Double {
        guard case .number(let number) = member.value, let value = number.double, (0...limit).contains(value) else {
            throw .init(item: member.name, reason: "expected a number from 0 to \(limit)")
        }
        return value
    }
}
