/// What a reader of XML comes by; white space outside of the root, comments and instructions are no events.
enum XMLEvent: Hashable, Sendable {
    /// A start tag, or both tags of an element without content.
    case start(name: String, attributes: [XMLAttribute], isEmpty: Bool)

    /// Character data without its references; one text may come in several pieces.
    case text([UInt8])

    /// An end tag, which begins at the byte `offset`.
    case end(offset: Int)
}

/// One attribute of a start tag.
struct XMLAttribute: Hashable, Sendable {
    let name: String

    /// The value without its references, with white space as XML 1.0, section 3.3.3, has it.
    let value: [UInt8]

    /// Where the value stands, without its quotes.
    let range: Range<Int>
}
