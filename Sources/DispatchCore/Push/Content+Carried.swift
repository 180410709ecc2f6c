extension Content {
    /// The texts that are shown where no app knows keys, the most prominent first.
    ///
    /// The fallback stands for a text that has a key, and without one it is left out.
    var shownTexts: [String] {
        [title, subtitle, body].compactMap { $0?.text }.filter { !$0.isEmpty }
    }

    /// What the app is handed as it is: the job's data in their order, then what the platform has no member for.
    ///
    /// Of several with one name the first counts: data, then the attachment under its key, then the hub's own.
    /// `notification` is the job's id, by which the app recognises a repeated push and reports receipts.
    func carriedMembers(of notification: UUIDValue) -> [JSONMember] {
        var members = data
        members.reserveCapacity(data.count + 8)
        func carry(_ name: String, _ value: JSONValue) {
            guard !members.contains(where: { $0.name.hasSameBytes(as: name) }) else { return }
            members.append(JSONMember(name: name, value: value))
        }
        if let attachment, let url = attachment.url { carry(attachment.key, .string(url)) }
        carry("notificationId", .string(notification.description))
        if let category { carry("category", .string(category)) }
        if let thread { carry("thread", .string(thread)) }
        if let link { carry("link", .string(link)) }
        if let targetContentID { carry("targetContentId", .string(targetContentID)) }
        for member in rich?.members ?? [] { carry(member.name, member.value) }
        return members
    }
}
