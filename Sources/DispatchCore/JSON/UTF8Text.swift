/// A string that equals another only when their UTF-8 bytes are the same.
///
/// `String` itself compares by canonical equivalence: "é" composed and decomposed are one key to Swift and two to
/// PostgreSQL and to every gateway.
public struct UTF8Text: Hashable, Sendable {
    /// The string.
    public let text: String

    /// Wraps a string.
    public init(_ text: String) {
        self.text = text
    }

    /// Compares bytes.
    public static func == (left: UTF8Text, right: UTF8Text) -> Bool {
        left.text.hasSameBytes(as: right.text)
    }

    /// Feeds the bytes and their number.
    public func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
        hasher.combine(text.utf8.count)
    }
}

extension String {
    /// Whether both strings have the same UTF-8 bytes.
    public func hasSameBytes(as other: String) -> Bool {
        // `==` is quick for what does not match, and true for more than the same bytes.
        utf8.count == other.utf8.count && self == other && utf8.elementsEqual(other.utf8)
    }
}

extension Sequence where Element == String {
    /// The strings without repetitions, by their bytes, in the order of their first appearance.
    func withoutRepetitions() -> [String] {
        var seen: Set<UTF8Text> = []
        return filter { seen.insert(UTF8Text($0)).inserted }
    }
}
