extension Content {
    /// Which of the localizations a device with `locale` gets; nil means the content's own texts.
    ///
    /// RFC 4647 section 3.4, lookup: subtags are dropped from the right until a language tag matches, a single-letter
    /// subtag together with what it introduced.
    public func localizationIndex(for locale: String?) -> Int? {
        guard !localizations.isEmpty, let locale else { return nil }
        var subtags = locale.lowercased().split(separator: "-", omittingEmptySubsequences: false)
        while !subtags.isEmpty {
            let range = subtags.joined(separator: "-")
            if let index = localizations.firstIndex(where: { $0.locale.lowercased() == range }) { return index }
            subtags.removeLast()
            if subtags.last?.count == 1 { subtags.removeLast() }
        }
        return nil
    }

    /// The content for one device: its language's texts, the number in place of a badge to be computed, the id and the
    /// address of what the hub keeps.
    ///
    /// Without a number the icon stays as it is.
    func resolved(in context: RenderContext) -> Content {
        var content = self
        if badge == .unread { content.badge = context.unread.map { .count($0) } }
        if let index = localizationIndex(for: context.locale) {
            let texts = localizations[index]
            if let title = texts.title { content.title = .literal(title) }
            if let subtitle = texts.subtitle { content.subtitle = .literal(subtitle) }
            if let body = texts.body { content.body = .literal(body) }
        }
        content.localizations = []
        content.attachment = attachment?.located(of: rich, at: context.contentURL)
        if let number = context.number { content.rich = rich?.identified(by: number) }
        return content
    }

    /// Whether it is the same for every device.
    var isResolved: Bool {
        badge != .unread && localizations.isEmpty && (rich == nil || rich?.id != nil)
            && (attachment == nil || attachment?.url != nil)
    }

    /// The badge's number, once it is resolved.
    var badgeCount: Int? {
        guard case .count(let count) = badge else { return nil }
        return count
    }
}
