/// One operation of a patch.
public struct InstallationPatchOperation: Hashable, Sendable {
    /// What is done.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Sets a member, or inserts into a list.
        case add
        /// Takes away what is there.
        case remove
        /// Sets what is there.
        case replace
        /// Goes on only if the value is there.
        case test
    }

    /// What is done.
    public let kind: Kind

    /// The steps of the path, without their escapes.
    public let path: [String]

    /// The value; nil for `remove`.
    public let value: JSONValue?

    init(decoding document: JSONValue) throws(JobError) {
        var kind: Kind?
        var path: [String]?
        var value: JSONValue?
        try document.forEachMember { (name, member) throws(JobError) in
            switch name {
            case "op": kind = try member.choice(["add": .add, "remove": .remove, "replace": .replace, "test": .test])
            case "path": path = try Self.path(member)
            case "value": value = member
            // "Members that are not explicitly defined for the operation in question MUST be ignored" (RFC 6902
            // section 4); but `from` belongs to operations that are not served.
            default: break
            }
        }
        guard let kind else { throw JobError.missing("op") }
        guard let path else { throw JobError.missing("path") }
        guard kind == .remove || value != nil else { throw JobError.missing("value") }
        try Self.check(path, kind)
        self.kind = kind
        self.path = path
        self.value = kind == .remove ? nil : try Self.understood(value, at: path)
    }

    /// How many steps may follow the members that can be changed.
    private static let depths = [
        "pushChannel": 0, "userId": 0, "environment": 0, "topic": 0, "locale": 0, "timeZone": 0, "permission": 0,
        "expirationTime": 0, "tags": 1, "templates": 2,
    ]

    private static func check(_ path: [String], _ kind: Kind) throws(JobError) {
        let isFixed = path == ["installationId"] || path == ["platform"]
        if kind == .test, isFixed { return }
        guard let first = path.first, let depth = depths[first], path.count <= depth + 1 else {
            let reason = isFixed ? "This member can be tested, not changed." : "This path cannot be changed by a patch."
            throw JobError(.outOfRange, reason: reason).under("path")
        }
    }

    /// The steps of a JSON Pointer (RFC 6901).
    private static func path(_ value: JSONValue) throws(JobError) -> [String] {
        let text = try value.text(upTo: 512, form: "a JSON Pointer such as /tags/-") {
            $0.utf8.first == UInt8(ascii: "/")
        }
        return text.dropFirst().split(separator: "/", omittingEmptySubsequences: false).map { step in
            // "by first transforming any occurrence of the sequence '~1' to '/', and then ... '~0' to '~'": the order
            // keeps `~01` from becoming a slash.
            unescaped(unescaped(String(step), "1", as: "/"), "0", as: "~")
        }
    }

    private static func unescaped(_ text: String, _ digit: Character, as character: Character) -> String {
        var result = ""
        var isEscaping = false
        for next in text {
            if isEscaping, next == digit {
                result.removeLast()
                result.append(character)
                isEscaping = false
            } else {
                result.append(next)
                isEscaping = next == "~"
            }
        }
        return result
    }

    /// A template may come as the text of its JSON.
    private static func understood(_ value: JSONValue?, at path: [String]) throws(JobError) -> JSONValue? {
        guard path.first == "templates", path.count == 2, case .string(let text)? = value else { return value }
        guard let template = try? JSONParser.parse(Array(text.utf8), limits: JobLimits.json) else {
            throw JobError(.wrongType, reason: "Must be a template, or text that is one as JSON.").under("value")
        }
        return template
    }
}
