/// What becomes of a shown notification once it is answered: it is sent again, changed, in place of itself.
public struct CategoryRule: Hashable, Sendable {
    /// The action that the rule is on.
    public let action: String

    /// The first answer that it is for: answers by this action on one notification by one device count from 1.
    public let from: Int

    /// The last one; nil when there is none.
    public let to: Int?

    /// The action after whose last use counting begins anew; nil when it never does.
    public let since: String?

    /// Members of a neutral content that take the place of the notification's own; null takes one away.
    public let update: [JSONMember]

    /// Whose notification is changed.
    public let audience: RuleAudience

    /// Takes checked values.
    public init(
        action: String,
        from: Int = 1,
        to: Int? = nil,
        since: String? = nil,
        update: [JSONMember] = [],
        audience: RuleAudience = .device
    ) {
        self.action = action
        self.from = from
        self.to = to
        self.since = since
        self.update = update
        self.audience = audience
    }

    /// Whether the rule is for the answer that `history` is about.
    public func applies(to history: AnswerHistory) -> Bool {
        guard history.action.hasSameBytes(as: action) else { return false }
        let number = history.number(since: since)
        return number >= from && number <= to ?? .max
    }
}

extension CategoryRule {
    /// Reads a rule; unknown members are refused.
    init(decoding value: JSONValue) throws(JobError) {
        var names: (action: String?, since: String?)
        var numbers: (from: Int?, to: Int?)
        var update: [JSONMember]?
        var audience: RuleAudience?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "on": names.action = try value.text(upTo: CategoryLimits.nameBytes)
            case "from": numbers.from = Int(try value.integer(in: CategoryLimits.answers))
            case "to": numbers.to = Int(try value.integer(in: CategoryLimits.answers))
            case "since": names.since = try value.text(upTo: CategoryLimits.nameBytes)
            case "update": update = try Content.update(value)
            case "for": audience = try value.spelling(of: RuleAudience.self)
            default: throw JobError.unknownMember
            }
        }
        guard let action = names.action else { throw JobError.missing("on") }
        guard let update else { throw JobError.missing("update") }
        self.init(
            action: action,
            from: numbers.from ?? 1,
            to: numbers.to,
            since: names.since,
            update: update,
            audience: audience ?? .device
        )
        try checkAttainable()
    }

    private func checkAttainable() throws(JobError) {
        guard to.map({ $0 >= from }) ?? true else {
            throw JobError(.conflictingMembers, reason: "Must not be below from: no answer would count.").under("to")
        }
        guard since?.hasSameBytes(as: action) != true else {
            let reason = "Must be another action than on: no answer would count."
            throw JobError(.conflictingMembers, reason: reason).under("since")
        }
    }

    /// Writes the rule as it is read, without members that have their default.
    func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("on", action)
        writer.member("from", from == 1 ? nil : from)
        writer.member("to", to)
        writer.member("since", since)
        writer.key("update")
        writer.object(update)
        if audience != .device { writer.member("for", audience.rawValue) }
        writer.endObject()
    }
}
