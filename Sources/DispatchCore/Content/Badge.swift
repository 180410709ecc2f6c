/// The number at the app's icon.
public enum Badge: Hashable, Sendable {
    /// This number; 0 takes it away.
    case count(Int)

    /// How many notifications the user has not read, computed when it is sent.
    case unread

    init(decoding value: JSONValue) throws(JobError) {
        switch value {
        case .number: self = .count(Int(try value.integer(in: JobLimits.badge)))
        case .string("unread"): self = .unread
        case .string: throw JobError(.outOfRange, reason: "Must be an integer or “unread”.")
        case .null, .bool, .array, .object: throw value.wrongType(expected: "an integer or “unread”")
        }
    }
}
