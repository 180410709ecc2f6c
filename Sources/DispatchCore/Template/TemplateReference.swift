/// One use of a property in a template.
struct TemplateReference: Hashable, Sendable {
    /// What is made of the value's text.
    enum Form: Hashable, Sendable {
        /// `$(p)`: nothing.
        case whole

        /// `$(p,n)`: its first `n` UTF-16 units.
        case clipped(Int)

        /// `.(p,n)`: its beginning and three dots, `n` units together, when it has more.
        case dotted(Int)

        /// `%(p)`: all but the unreserved characters of RFC 3986 percent-encoded.
        case encoded
    }

    /// A step into an object or array.
    enum Step: Hashable, Sendable {
        /// A member's name in lower case.
        case member(String)

        /// An element's index from 0.
        case element(Int)
    }

    /// The property's name in lower case.
    let name: String

    /// The way from the property to the value.
    var steps: [Step] = []

    /// The text of an absent property.
    var fallback: [UInt8]?

    /// What is made of the text.
    var form = Form.whole
}
