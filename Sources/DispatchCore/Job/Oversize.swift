/// What happens to a payload over its platform's limit.
public enum Oversize: Hashable, Sendable {
    /// The platform is not sent to.
    case refuse

    /// The body text alone is shortened, with an ellipsis, until the payload fits.
    case truncate

    init(decoding value: JSONValue) throws(JobError) {
        self = try value.choice(["refuse": .refuse, "truncate": .truncate])
    }
}
