/// Header fields in the order they were sent or added, repeated ones kept apart; names compare without case.
///
/// All names and values lie in one buffer, each followed by a zero octet, so that a request costs two allocations
/// however many fields it has and a response is handed to C without copies.
public struct HTTPHeaders: Sendable {
    private struct Entry: Sendable {
        let nameStart: Int
        let nameCount: Int
        let valueStart: Int
        let valueCount: Int
    }

    private var bytes: [UInt8] = []
    private var entries: [Entry] = []

    /// Makes an empty collection.
    public init() {}

    /// The number of fields.
    public var count: Int { entries.count }

    /// Whether there is no field.
    public var isEmpty: Bool { entries.isEmpty }

    /// The value of the first field of a name.
    public subscript(name: String) -> String? {
        entries.first { matches($0, name) }.map { text(of: $0) }
    }

    /// The values of all fields of a name, in order.
    public func values(of name: String) -> [String] {
        entries.filter { matches($0, name) }.map { text(of: $0) }
    }

    /// How many fields have a name.
    public func count(of name: String) -> Int {
        entries.count { matches($0, name) }
    }

    /// The octets of the first field of a name, as they were sent.
    public func bytes(of name: String) -> [UInt8]? {
        entries.first { matches($0, name) }.map { Array(bytes[valueRange($0)]) }
    }

    /// All fields as text.
    public var fields: [(name: String, value: String)] {
        entries.map { (String(decoding: bytes[nameRange($0)], as: UTF8.self), text(of: $0)) }
    }

    /// Adds a field after those that are there.
    ///
    /// - Throws: `HTTPHeaderError` when the name is no token or the value has a control character: a line end would
    ///   let the value add fields or a whole response of its own.
    public mutating func add(_ name: String, _ value: String) throws(HTTPHeaderError) {
        guard ASCII.isToken(name.utf8) else { throw .invalidName }
        guard value.utf8.allSatisfy({ ASCII.isFieldValue($0) }) else { throw .invalidValue }
        append(name: name.utf8, value: value.utf8)
    }

    /// Replaces all fields of a name by one.
    ///
    /// - Throws: `HTTPHeaderError`, and then nothing has changed.
    public mutating func set(_ name: String, _ value: String) throws(HTTPHeaderError) {
        guard ASCII.isToken(name.utf8) else { throw .invalidName }
        guard value.utf8.allSatisfy({ ASCII.isFieldValue($0) }) else { throw .invalidValue }
        remove(name)
        append(name: name.utf8, value: value.utf8)
    }

    /// Removes all fields of a name.
    public mutating func remove(_ name: String) {
        entries = entries.filter { !matches($0, name) }
    }

    /// Adds a field whose octets are known to be good.
    mutating func append(name: some Collection<UInt8>, value: some Collection<UInt8>) {
        let nameStart = bytes.count
        bytes.append(contentsOf: name)
        bytes.append(0)
        let valueStart = bytes.count
        bytes.append(contentsOf: value)
        bytes.append(0)
        entries.append(
            Entry(
                nameStart: nameStart,
                nameCount: valueStart - nameStart - 1,
                valueStart: valueStart,
                valueCount: bytes.count - valueStart - 1
            )
        )
    }

    /// Whether all names are tokens and no value has a control character.
    var fieldsAreValid: Bool {
        entries.allSatisfy { entry in
            ASCII.isToken(bytes[nameRange(entry)]) && bytes[valueRange(entry)].allSatisfy { ASCII.isFieldValue($0) }
        }
    }

    mutating func reserve(fields: Int, bytes count: Int) {
        entries.reserveCapacity(fields)
        bytes.reserveCapacity(count)
    }

    /// Calls the body with each field as two C strings, which must not escape.
    func withCStrings(_ body: (_ name: UnsafePointer<CChar>, _ value: UnsafePointer<CChar>) -> Void) {
        bytes.withUnsafeBytes { buffer in
            guard let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self) else { return }
            for entry in entries { body(base + entry.nameStart, base + entry.valueStart) }
        }
    }

    private func matches(_ entry: Entry, _ name: String) -> Bool {
        var name = name
        return name.withUTF8 { wanted in
            guard wanted.count == entry.nameCount else { return false }
            for offset in 0..<entry.nameCount
            where ASCII.lowercased(wanted[offset]) != ASCII.lowercased(bytes[entry.nameStart + offset]) {
                return false
            }
            return true
        }
    }

    private func nameRange(_ entry: Entry) -> Range<Int> {
        entry.nameStart..<(entry.nameStart + entry.nameCount)
    }

    private func valueRange(_ entry: Entry) -> Range<Int> {
        entry.valueStart..<(entry.valueStart + entry.valueCount)
    }

    private func text(of entry: Entry) -> String {
        String(decoding: bytes[valueRange(entry)], as: UTF8.self)
    }
}
