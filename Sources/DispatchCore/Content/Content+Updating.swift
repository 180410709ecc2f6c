extension Content {
    /// Reads the change of a content: members as a content has them, or null for one that goes.
    static func update(_ value: JSONValue) throws(JobError) -> [JSONMember] {
        var content = Content()
        try value.forEachMember { (name, value) throws(JobError) in
            do throws(JobError) {
                try content.read(name, value)
            } catch {
                guard value == .null, error.code != .unknownMember else { throw error }
            }
        }
        let size = JSONWriter.encode(value).count
        guard size <= CategoryLimits.updateBytes else {
            throw JobError(.tooLong, reason: "Has \(size) bytes; at most \(CategoryLimits.updateBytes) are allowed.")
        }
        return value.members ?? []
    }

    /// The document of a content after the change `update`, for the notification `number` that has it.
    ///
    /// - A text that is changed is changed in every language, unless the change brings languages of its own.
    /// - The change makes no sound, unless it names one: the user has just had the notification in hand.
    /// - Rich content stays where it is: the app goes on to fetch it by the id it knows.
    static func updating(_ content: [JSONMember], by update: [JSONMember], number: NotificationID) -> [JSONMember] {
        func isChanged(_ name: String) -> Bool { update.contains { $0.name == name } }
        var members = content.filter { !isChanged($0.name) } + update.filter { $0.value != .null }
        let texts = ["title", "subtitle", "body"].filter(isChanged)
        if !isChanged("localizations") {
            members.change("localizations") { languages in
                languages.compactMap { language in language.without(texts) }
            }
        }
        if !isChanged("rich") { members.keepRichContent(of: number) }
        guard !isChanged("sound") else { return members }
        if !isChanged("browser") {
            members.change("browser") { $0.filter { $0.name != "vibrate" && $0.name != "silent" } }
        }
        if !isChanged("wns") { members.change("wns") { $0.filter { $0.name != "audio" } } }
        members.removeAll { $0.name == "sound" }
        return members + [JSONMember(name: "sound", value: .string("none"))]
    }
}

extension [JSONMember] {
    /// Changes the members of the object `name`, if there is one; one that has none left goes.
    fileprivate mutating func change(_ name: String, _ change: ([JSONMember]) -> [JSONMember]) {
        guard let index = firstIndex(where: { $0.name == name }), let members = self[index].value.members else {
            return
        }
        let changed = change(members)
        if changed.isEmpty {
            remove(at: index)
        } else {
            self[index] = JSONMember(name: name, value: .object(changed))
        }
    }

    /// Puts the id that the app knows among the data, where it comes first, and leaves away what the hub has kept already.
    fileprivate mutating func keepRichContent(of number: NotificationID) {
        guard let index = firstIndex(where: { $0.name == "rich" }), let rich = self[index].value.members else { return }
        let own = rich.filter { $0.name != "id" && $0.name != "content" }
        self[index] = JSONMember(name: "rich", value: .object(own))
        let id = rich.first { $0.name == "id" }?.value ?? .number(JSONNumber(number.rawValue))
        let data = first { $0.name == "data" }?.value.members ?? []
        guard !data.contains(where: { $0.name.hasSameBytes(as: "richId") }) else { return }
        removeAll { $0.name == "data" }
        append(JSONMember(name: "data", value: .object(data + [JSONMember(name: "richId", value: id)])))
    }
}

extension JSONMember {
    /// The member without some members of its own; nil when none are left.
    fileprivate func without(_ names: [String]) -> JSONMember? {
        guard let members = value.members else { return self }
        let rest = members.filter { !names.contains($0.name) }
        return rest.isEmpty ? nil : JSONMember(name: name, value: .object(rest))
    }
}
