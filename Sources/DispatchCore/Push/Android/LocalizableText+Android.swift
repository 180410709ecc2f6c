extension LocalizableText {
    /// The text, unless it has a key.
    var literal: String? {
        guard case .literal(let text) = self else { return nil }
        return text
    }
}

extension JSONWriter {
    /// Writes `PREFIX_key` and `PREFIX_args` of a text that the app brings, or nothing for another text.
    mutating func keyed(_ prefix: StaticString, _ text: LocalizableText?) {
        guard case .keyed(let key, let arguments, _) = text else { return }
        member("\(prefix)_key", key)
        member("\(prefix)_args", arguments)
    }
}
