/// Appends one document of compact JSON to bytes, escaping only what RFC 8259 demands.
///
/// Commas are its business; that names and values alternate and that every begin has its end is the caller's.
public struct JSONWriter: Sendable {
    /// What has been written so far.
    public var bytes: [UInt8] = []

    /// Makes a writer with room for `capacity` bytes.
    public init(capacity: Int = 512) {
        bytes.reserveCapacity(capacity)
    }

    /// Opens an object.
    public mutating func beginObject() {
        separate()
        bytes.append(UInt8(ascii: "{"))
    }

    /// Closes an object.
    public mutating func endObject() {
        bytes.append(UInt8(ascii: "}"))
    }

    /// Opens an array.
    public mutating func beginArray() {
        separate()
        bytes.append(UInt8(ascii: "["))
    }

    /// Closes an array.
    public mutating func endArray() {
        bytes.append(UInt8(ascii: "]"))
    }

    /// Writes the name of the next member.
    public mutating func key(_ name: String) {
        var name = name
        name.withUTF8 { appendString($0, isName: true) }
    }

    /// Writes a string.
    public mutating func string(_ text: String) {
        var text = text
        text.withUTF8 { appendString($0, isName: false) }
    }

    /// Writes an integer.
    public mutating func number(_ value: some BinaryInteger) {
        // The type's own description: the initializer of String goes by the generic digits of any radix.
        raw(value.description)
    }

    /// Writes a number as it was read.
    public mutating func number(_ number: JSONNumber) {
        raw(number.text)
    }

    /// Writes a boolean.
    public mutating func bool(_ value: Bool) {
        raw(value ? "true" : "false")
    }

    /// Writes `null`.
    public mutating func null() {
        raw("null")
    }

    /// Writes bytes that are one JSON value already.
    public mutating func raw(_ json: some Collection<UInt8>) {
        separate()
        bytes.append(contentsOf: json)
    }

    /// Writes text that is one JSON value already.
    public mutating func raw(_ json: String) {
        separate()
        bytes.append(contentsOf: json.utf8)
    }

    /// Writes a value with everything in it.
    public mutating func value(_ value: JSONValue) {
        switch value {
        case .null: null()
        case .bool(let value): bool(value)
        case .number(let number): self.number(number)
        case .string(let text): string(text)
        case .array(let elements): array(elements)
        case .object(let members): object(members)
        }
    }

    /// Writes an array.
    public mutating func array(_ elements: [JSONValue]) {
        beginArray()
        for element in elements {
            value(element)
        }
        endArray()
    }

    /// Writes an object.
    public mutating func object(_ members: [JSONMember]) {
        beginObject()
        self.members(members)
        endObject()
    }

    /// Writes members into the object that is open.
    public mutating func members(_ members: [JSONMember]) {
        for member in members {
            key(member.name)
            value(member.value)
        }
    }

    /// A value follows another exactly when the last byte opened nothing, so no stack of open containers is needed.
    var followsValue: Bool {
        switch bytes.last {
        case nil, UInt8(ascii: "{"), UInt8(ascii: "["), UInt8(ascii: ":"): false
        default: true
        }
    }

    private mutating func separate() {
        if followsValue { bytes.append(UInt8(ascii: ",")) }
    }
}
