extension ActionCategory {
    /// Reads a document from outside; unknown members are refused.
    public init(decoding body: [UInt8]) throws(JobError) {
        try self.init(decoding: JSONValue.body(body))
    }

    /// Reads a document that has been parsed already.
    public init(decoding document: JSONValue) throws(JobError) {
        var members = Members()
        try document.forEachMember { (name, value) throws(JobError) in
            try members.read(name, value)
        }
        guard let id = members.id else { throw JobError.missing("id") }
        self.init(
            id: id,
            actions: members.actions,
            intents: members.intents,
            options: members.options,
            hiddenPreviewsBodyPlaceholder: members.placeholder,
            summaryFormat: members.summaryFormat,
            contentExtension: members.contentExtension,
            rules: members.rules
        )
    }

    /// What has been read so far.
    private struct Members {
        var id: String?
        var actions: [CategoryAction] = []
        var intents: [String] = []
        var options: Set<CategoryOption> = []
        var placeholder: String?
        var summaryFormat: String?
        var contentExtension: ContentExtensionHints?
        var rules: [CategoryRule] = []

        mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
            switch name {
            case "id": id = try ActionCategory.id(value)
            case "actions": actions = try CategoryAction.list(decoding: value)
            case "intents": intents = try ActionCategory.intents(value)
            case "options": options = try value.spellings(of: CategoryOption.self)
            case "hiddenPreviewsBodyPlaceholder": placeholder = try value.text(upTo: CategoryLimits.nameBytes)
            case "summaryFormat": summaryFormat = try value.text(upTo: CategoryLimits.nameBytes)
            case "contentExtension": contentExtension = try ContentExtensionHints(decoding: value)
            case "rules": rules = try ActionCategory.rules(value)
            default: throw JobError.unknownMember
            }
        }
    }

    private static func id(_ value: JSONValue) throws(JobError) -> String {
        let form = "an id without control characters"
        return try value.text(upTo: CategoryLimits.nameBytes, form: form, IdentifierRules.isCategoryID)
    }

    private static func rules(_ value: JSONValue) throws(JobError) -> [CategoryRule] {
        try value.list(limit: CategoryLimits.rules) { (element) throws(JobError) in
            try CategoryRule(decoding: element)
        }
    }

    private static func intents(_ value: JSONValue) throws(JobError) -> [String] {
        try value.list(limit: CategoryLimits.intents) { (element) throws(JobError) in
            try element.text(upTo: CategoryLimits.nameBytes)
        }
    }
}

extension ActionCategory {
    /// The category as it is kept, and as an app reads it to register it with its system: the shape that is accepted, on one
    /// line.
    public var json: [UInt8] {
        var writer = JSONWriter()
        write(to: &writer)
        return writer.bytes
    }

    /// Writes the category as it is read, without members that have their default.
    public func write(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("id", id)
        writeActions(to: &writer)
        if !intents.isEmpty {
            writer.key("intents")
            writer.array(intents.map(JSONValue.string))
        }
        writer.member("options", options)
        writer.member("hiddenPreviewsBodyPlaceholder", hiddenPreviewsBodyPlaceholder)
        writer.member("summaryFormat", summaryFormat)
        if let contentExtension {
            writer.key("contentExtension")
            contentExtension.write(to: &writer)
        }
        writeRules(to: &writer)
        writer.endObject()
    }

    private func writeRules(to writer: inout JSONWriter) {
        guard !rules.isEmpty else { return }
        writer.key("rules")
        writer.beginArray()
        for rule in rules { rule.write(to: &writer) }
        writer.endArray()
    }

    private func writeActions(to writer: inout JSONWriter) {
        guard !actions.isEmpty else { return }
        writer.key("actions")
        writer.beginArray()
        for action in actions {
            action.write(to: &writer)
        }
        writer.endArray()
    }
}
