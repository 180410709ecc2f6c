extension JSONWriter {
    /// Writes a member whose value is a string, or nothing for nil.
    mutating func member(_ name: String, _ text: String?) {
        guard let text else { return }
        key(name)
        string(text)
    }

    /// Writes a member whose value is an integer, or nothing for nil.
    mutating func member(_ name: String, _ number: Int?) {
        guard let number else { return }
        key(name)
        self.number(number)
    }
}
