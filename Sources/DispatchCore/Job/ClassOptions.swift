/// Which class of its hub's notifications a job belongs to, and which of the class's rules it is exempt from.
public struct ClassOptions: Hashable, Sendable {
    /// The class by its name; nil is the hub's usual one.
    public var name: String?

    /// Whether it comes in quiet hours too.
    public var ignoresQuietHours = false

    /// Whether it comes however many have come before.
    public var ignoresCaps = false

    /// The class of jobs that name none.
    public static let usual = "default"

    /// Makes options of a job that says nothing about classes.
    public init() {}
}

extension ClassOptions {
    /// Reads the member `name` of a job's options; false when it is none of these.
    mutating func read(_ name: String, _ value: JSONValue) throws(JobError) -> Bool {
        switch name {
        case "class": self.name = try value.className()
        case "ignoreQuietHours": ignoresQuietHours = try value.boolean()
        case "ignoreCaps": ignoresCaps = try value.boolean()
        default: return false
        }
        return true
    }

    /// Only what is urgent may come in spite of the rules.
    func check(_ priority: SendPriority) throws(JobError) {
        guard priority != .high else { return }
        for (name, isSet) in [("ignoreQuietHours", ignoresQuietHours), ("ignoreCaps", ignoresCaps)] where isSet {
            throw JobError(.conflictingMembers, reason: "Only a job of high priority may say so.").under(name)
        }
    }
}

extension JSONValue {
    /// Reads the name of a class of notifications.
    func className() throws(JobError) -> String {
        try text(upTo: JobLimits.classBytes, form: "ASCII letters, digits, “.”, “_” and “-”") { name in
            name.utf8.allSatisfy { NameForms.isLetterOrDigit($0) || "._-".utf8.contains($0) }
        }
    }
}
