/// One button of a notification.
public struct CategoryAction: Hashable, Sendable {
    /// What the app and the receipts know it by.
    public let id: String

    /// What the button says.
    public let title: String

    /// The name of the app's or the system's image beside the title.
    public let icon: String?

    /// How it behaves when it is chosen.
    public let options: Set<CategoryActionOption>

    /// Present when the button asks for a text.
    public let input: TextInput?

    /// Takes checked values.
    public init(
        id: String,
        title: String,
        icon: String? = nil,
        options: Set<CategoryActionOption> = [],
        input: TextInput? = nil
    ) {
        self.id = id
        self.title = title
        self.icon = icon
        self.options = options
        self.input = input
    }
}

extension CategoryAction {
    /// Reads an action; unknown members are refused.
    public init(decoding value: JSONValue) throws(JobError) {
        var names: (id: String?, title: String?, icon: String?)
        var options: Set<CategoryActionOption> = []
        var input: TextInput?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": names.id = try value.text(upTo: CategoryLimits.nameBytes)
            case "title": names.title = try value.text(upTo: CategoryLimits.nameBytes)
            case "icon": names.icon = try value.text(upTo: CategoryLimits.nameBytes)
            case "options": options = try value.spellings(of: CategoryActionOption.self)
            case "input": input = try TextInput(decoding: value)
            default: throw JobError.unknownMember
            }
        }
        guard let id = names.id else { throw JobError.missing("id") }
        guard let title = names.title else { throw JobError.missing("title") }
        self.init(id: id, title: title, icon: names.icon, options: options, input: input)
    }

    /// Reads a list of at most `limit` actions; ids that have the same bytes are refused.
    public static func list(
        decoding value: JSONValue,
        limit: Int = CategoryLimits.actions
    ) throws(JobError) -> [CategoryAction] {
        var ids: Set<UTF8Text> = []
        return try value.list(limit: limit) { (element) throws(JobError) in
            let action = try CategoryAction(decoding: element)
            guard ids.insert(UTF8Text(action.id)).inserted else {
                throw JobError(.conflictingMembers, reason: "Another action has this id already.").under("id")
            }
            return action
        }
    }

    /// Writes the action as it is read, without members that have their default.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writer.member("title", title)
        writer.member("icon", icon)
        writer.member("options", options)
        if let input {
            writer.key("input")
            input.write(to: &writer)
        }
        writer.endObject()
    }
}
