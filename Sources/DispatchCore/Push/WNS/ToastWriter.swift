/// Appends elements to XML without white space between them.
///
/// That every open element is closed is its caller's business.
struct ToastWriter {
    /// A name and its value; one without a value is not written.
    typealias Attribute = (name: String, value: String?)

    /// What has been written so far.
    private(set) var bytes: [UInt8] = []

    init() {
        bytes.reserveCapacity(1024)
    }

    /// Opens an element.
    mutating func open(_ name: String, _ attributes: [Attribute] = []) {
        begin(name, attributes)
        bytes.append(UInt8(ascii: ">"))
    }

    /// Closes the element that is open.
    mutating func close(_ name: String) {
        bytes += "</".utf8
        bytes += name.utf8
        bytes.append(UInt8(ascii: ">"))
    }

    /// Writes an element without content; one that is not needed only if it has an attribute.
    mutating func empty(_ name: String, _ attributes: [Attribute], isNeeded: Bool = true) {
        guard isNeeded || attributes.contains(where: { $0.value != nil }) else { return }
        begin(name, attributes)
        bytes += "/>".utf8
    }

    /// Writes an element that holds a text.
    mutating func text(_ name: String, _ text: String) {
        open(name)
        XMLText.escaped(text, attribute: false, into: &bytes)
        close(name)
    }

    private mutating func begin(_ name: String, _ attributes: [Attribute]) {
        bytes.append(UInt8(ascii: "<"))
        bytes += name.utf8
        for case (let name, let value?) in attributes {
            bytes.append(UInt8(ascii: " "))
            bytes += name.utf8
            bytes += "=\"".utf8
            XMLText.escaped(value, attribute: true, into: &bytes)
            bytes.append(UInt8(ascii: "\""))
        }
    }
}
