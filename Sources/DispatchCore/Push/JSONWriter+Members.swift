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

    /// Writes a member whose value is a boolean, or nothing for nil.
    mutating func member(_ name: String, _ flag: Bool?) {
        guard let flag else { return }
        key(name)
        bool(flag)
    }

    /// Writes a member whose value is a list of strings, or nothing when it is empty.
    mutating func member(_ name: String, _ texts: [String]) {
        guard !texts.isEmpty else { return }
        key(name)
        beginArray()
        for text in texts { string(text) }
        endArray()
    }

    /// Writes a member whose value is a string that holds a JSON document.
    mutating func member(_ name: String, _ document: [UInt8]) {
        key(name)
        string(String(decoding: document, as: UTF8.self))
    }

    /// Writes a member whose value is a number as it was read, or nothing for nil.
    mutating func member(_ name: String, _ number: JSONNumber?) {
        guard let number else { return }
        key(name)
        self.number(number)
    }

    /// Writes a member with any value, or nothing for nil.
    mutating func member(_ name: String, _ value: JSONValue?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member whose value is an instant in whole seconds of the epoch, or nothing for nil.
    ///
    /// An instant before the epoch is its beginning: no device tells the one from the other, and not every reader takes
    /// negative seconds.
    mutating func member(_ name: String, _ instant: Timestamp?) {
        guard let instant else { return }
        key(name)
        number(max(instant.seconds, 0))
    }
}
