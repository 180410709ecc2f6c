/// The properties of one notification, prepared for any number of templates: made once, shared by all devices.
///
/// Every value's JSON stands once in a blob, so that a text is put into a JSON template by copying bytes.
public struct TemplateProperties: Sendable {
    /// The compact JSON of all values, one after the other.
    private(set) var json: [UInt8] = []

    /// All values, parents before their children.
    private(set) var nodes: [Node] = []

    /// The properties' places in `nodes`, by name in lower case.
    private(set) var roots: [String: Int] = [:]

    /// Takes the members of a job's `template`.
    ///
    /// Names are compared without regard to ASCII case; of two that differ in nothing else, the first counts.
    public init(_ members: [JSONMember]) {
        roots = place(members)
    }

    /// One value.
    struct Node: Sendable {
        let kind: Kind

        /// Its JSON in the blob, without the quotes of a string.
        let range: Range<Int>

        /// The text of a string whose JSON has escapes.
        var unescaped: String?

        /// The places of the members, by name in lower case.
        var members: [String: Int] = [:]

        /// The places of the elements.
        var elements: [Int] = []
    }

    /// What a value is.
    enum Kind: Sendable {
        case null
        case bool
        case number
        case string
        case container
    }

    private mutating func place(_ members: [JSONMember]) -> [String: Int] {
        var places: [String: Int] = [:]
        places.reserveCapacity(members.count)
        json.append(UInt8(ascii: "{"))
        for (index, member) in members.enumerated() {
            if index > 0 { json.append(UInt8(ascii: ",")) }
            json.append(UInt8(ascii: "\""))
            JSONWriter.escaped(member.name, into: &json)
            json.append(contentsOf: "\":".utf8)
            let place = place(member.value)
            guard member.name.utf8.allSatisfy(Self.isNameByte) else { continue }
            let key = Self.key(member.name.utf8)
            if places[key] == nil { places[key] = place }
        }
        json.append(UInt8(ascii: "}"))
        return places
    }

    private mutating func place(_ value: JSONValue) -> Int {
        let place = nodes.count
        let start = json.count
        switch value {
        case .null: scalar(.null, "null")
        case .bool(let value): scalar(.bool, value ? "true" : "false")
        case .number(let number): scalar(.number, number.text)
        case .string(let text): string(text)
        case .array(let elements):
            nodes.append(Node(kind: .container, range: start..<start))
            let elements = self.elements(elements)
            nodes[place] = Node(kind: .container, range: start..<json.count, elements: elements)
        case .object(let members):
            nodes.append(Node(kind: .container, range: start..<start))
            let members = self.place(members)
            nodes[place] = Node(kind: .container, range: start..<json.count, members: members)
        }
        return place
    }

    private mutating func scalar(_ kind: Kind, _ text: String) {
        let start = json.count
        json.append(contentsOf: text.utf8)
        nodes.append(Node(kind: kind, range: start..<json.count))
    }

    private mutating func string(_ text: String) {
        json.append(UInt8(ascii: "\""))
        let start = json.count
        JSONWriter.escaped(text, into: &json)
        let range = start..<json.count
        json.append(UInt8(ascii: "\""))
        nodes.append(Node(kind: .string, range: range, unescaped: range.count == text.utf8.count ? nil : text))
    }

    private mutating func elements(_ elements: [JSONValue]) -> [Int] {
        json.append(UInt8(ascii: "["))
        let places = elements.enumerated().map { index, element in
            if index > 0 { json.append(UInt8(ascii: ",")) }
            return place(element)
        }
        json.append(UInt8(ascii: "]"))
        return places
    }
}

extension TemplateProperties {
    /// Whether a property's name may have `byte`.
    static func isNameByte(_ byte: UInt8) -> Bool { NameForms.isLetterOrDigit(byte) || byte == UInt8(ascii: "_") }

    /// A name of name bytes in lower case.
    static func key(_ name: some Collection<UInt8>) -> String {
        String(decoding: name.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }, as: UTF8.self)
    }

    /// The place of the value that `reference` names; nil when there is none, or null.
    func place(of reference: TemplateReference) -> Int? {
        guard var place = roots[reference.name] else { return nil }
        for step in reference.steps {
            switch step {
            case .member(let name):
                guard let next = nodes[place].members[name] else { return nil }
                place = next
            case .element(let index):
                guard index < nodes[place].elements.count else { return nil }
                place = nodes[place].elements[index]
            }
        }
        return nodes[place].kind == .null ? nil : place
    }
}
