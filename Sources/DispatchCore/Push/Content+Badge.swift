extension Content {
    /// The same with `unread` in place of a badge to be computed; without a number the icon stays as it is.
    func resolvingBadge(unread: Int?) -> Content {
        guard badge == .unread else { return self }
        return Content(
            title: title,
            subtitle: subtitle,
            body: body,
            badge: unread.map { .count($0) },
            sound: sound,
            category: category,
            thread: thread,
            data: data
        )
    }

    /// The badge's number, once it is resolved.
    var badgeCount: Int? {
        guard case .count(let count) = badge else { return nil }
        return count
    }
}
