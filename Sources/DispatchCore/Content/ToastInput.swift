/// A field to fill in within a Windows toast.
public struct ToastInput: Hashable, Sendable {
    /// One choice of a selection.
    public struct Selection: Hashable, Sendable {
        /// What the app gets.
        public let id: String

        /// What the user sees.
        public let content: String

        /// Takes checked values.
        public init(id: String, content: String) {
            self.id = id
            self.content = content
        }
    }

    /// The name under which the app gets what was filled in.
    public let id: String

    /// What stands above it.
    public let title: String?

    /// What stands in it while it is empty.
    public let placeholder: String?

    /// What it holds at first: a text, or the id of a selection.
    public let initial: String?

    /// The choices; empty means that text is typed.
    public let selections: [Selection]

    /// Takes checked values.
    public init(
        id: String,
        title: String? = nil,
        placeholder: String? = nil,
        initial: String? = nil,
        selections: [Selection] = []
    ) {
        self.id = id
        self.title = title
        self.placeholder = placeholder
        self.initial = initial
        self.selections = selections
    }
}

extension ToastInput {
    /// Microsoft, "Toast content": five inputs at most, each with five selections at most.
    static let limit = 5

    static func list(decoding value: JSONValue) throws(JobError) -> [ToastInput] {
        let inputs = try value.list(limit: limit) { (element) throws(JobError) in
            try ToastInput(decoding: element)
        }
        try JobError.checkUnique(inputs.map(\.id), named: "id")
        guard !inputs.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
        return inputs
    }

    private init(decoding value: JSONValue) throws(JobError) {
        var texts: (id: String?, title: String?, placeholder: String?, initial: String?)
        var isSelection: Bool?
        var selections: [Selection] = []
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": texts.id = try value.text(upTo: JobLimits.nameBytes)
            case "type": isSelection = try value.choice(["text": false, "selection": true])
            case "title": texts.title = try value.text(upTo: JobLimits.nameBytes)
            case "placeholder": texts.placeholder = try value.text(upTo: JobLimits.nameBytes)
            case "default": texts.initial = try value.text(upTo: JobLimits.nameBytes)
            case "selections": selections = try Selection.list(decoding: value)
            default: throw JobError.unknownMember
            }
        }
        guard let id = texts.id else { throw JobError.missing("id") }
        guard let isSelection else { throw JobError.missing("type") }
        guard isSelection == !selections.isEmpty else {
            throw JobError(.conflictingMembers, reason: "A selection, and only that, has selections.")
        }
        self.init(
            id: id,
            title: texts.title,
            placeholder: texts.placeholder,
            initial: texts.initial,
            selections: selections
        )
    }
}

extension ToastInput.Selection {
    fileprivate static func list(decoding value: JSONValue) throws(JobError) -> [ToastInput.Selection] {
        let selections = try value.list(limit: ToastInput.limit, ToastInput.Selection.init(decoding:))
        try JobError.checkUnique(selections.map(\.id), named: "id")
        guard !selections.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out instead.")
        }
        return selections
    }

    fileprivate init(decoding value: JSONValue) throws(JobError) {
        var id: String?
        var content: String?
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "id": id = try value.text(upTo: JobLimits.nameBytes)
            case "content": content = try value.text(upTo: JobLimits.nameBytes)
            default: throw JobError.unknownMember
            }
        }
        guard let id else { throw JobError.missing("id") }
        guard let content else { throw JobError.missing("content") }
        self.init(id: id, content: content)
    }
}
