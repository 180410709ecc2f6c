/// What a text must become at its place in the body.
enum TemplateEscaping: Hashable, Sendable {
    /// Itself: in a header, or in a raw body.
    case none

    /// The inside of a JSON string.
    case json

    /// Character data between tags.
    case xmlText

    /// The inside of an attribute's quotes.
    case xmlAttribute

    /// Appends `text` as it stands at this place.
    func append(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        switch self {
        case .none: bytes.append(contentsOf: text)
        case .json: JSONWriter.appendEscaped(text, to: &bytes)
        case .xmlText: XMLText.escaped(utf8: text, attribute: false, into: &bytes)
        case .xmlAttribute: XMLText.escaped(utf8: text, attribute: true, into: &bytes)
        }
    }

    /// Appends `text` as it stands at this place.
    func append(_ text: [UInt8], to bytes: inout [UInt8]) {
        text.withUnsafeBufferPointer { append($0, to: &bytes) }
    }
}
