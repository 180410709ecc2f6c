/// What a notification adds to the line that stands for several of its thread.
public struct Summary: Hashable, Sendable {
    /// What the summary names, such as the author.
    public let argument: String?

    /// How many items it counts for; nil counts as one.
    public let count: Int?

    /// Takes checked values.
    public init(argument: String? = nil, count: Int? = nil) {
        self.argument = argument
        self.count = count
    }

    init(decoding value: JSONValue) throws(JobError) {
        var argument: String?
        var count: Int?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "argument": argument = try value.text(upTo: JobLimits.nameBytes)
            case "count": count = Int(try value.integer(in: 1...JobLimits.badge.upperBound))
            default: throw JobError.unknownMember
            }
        }
        guard argument != nil || count != nil else {
            throw JobError(.missingMember, reason: "At least one of argument and count is needed.")
        }
        self.init(argument: argument, count: count)
    }
}
