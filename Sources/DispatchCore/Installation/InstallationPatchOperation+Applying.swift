extension InstallationPatchOperation {
    /// Does the operation, or says why it cannot be.
    func apply(to document: inout JSONValue, index: Int) throws(InstallationPatchError) {
        let isDone =
            switch kind {
            case .add: add(to: &document)
            case .remove: document.change(at: path[...]) { $0.take($1) }
            case .replace: document.change(at: path[...]) { $0.put(value ?? .null, at: $1) }
            case .test: isMet(by: document)
            }
        guard isDone else { throw kind == .test ? .testFailed(operation: index) : .noTarget(operation: index) }
    }

    private func add(to document: inout JSONValue) -> Bool {
        guard let value else { return false }
        // Azure's way to add one tag.
        let place = path == ["tags"] && value.string != nil ? ["tags", "-"] : path
        return document.change(at: place[...]) { $0.insert(value, at: $1) }
    }

    private func isMet(by document: JSONValue) -> Bool {
        var found: JSONValue? = document
        for step in path { found = found?.child(step) }
        return found?.means(value ?? .null) ?? false
    }
}

extension JSONValue {
    /// Goes down the path and lets the operation change its last step's parent.
    fileprivate mutating func change(
        at path: ArraySlice<String>,
        _ operation: (inout JSONValue, String) -> Bool
    ) -> Bool {
        guard let step = path.first else { return false }
        guard path.count > 1 else { return operation(&self, step) }
        guard var child = child(step), child.change(at: path.dropFirst(), operation) else { return false }
        return put(child, at: step)
    }

    fileprivate func child(_ step: String) -> JSONValue? {
        switch self {
        case .object: self[step]
        case .array(let elements): position(of: step).map { elements[$0] }
        default: nil
        }
    }

    /// Where an element is: the one of this text, as a tag is named, or else the one of this number.
    private func position(of step: String) -> Int? {
        guard case .array(let elements) = self else { return nil }
        if let named = elements.firstIndex(of: .string(step)) { return named }
        return Self.number(step).flatMap { elements.indices.contains($0) ? $0 : nil }
    }

    /// Replaces what is there.
    fileprivate mutating func put(_ value: JSONValue, at step: String) -> Bool {
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: step) }) else { return false }
            members[index] = JSONMember(name: step, value: value)
            self = .object(members)
        case .array(var elements):
            guard let index = position(of: step) else { return false }
            elements[index] = value
            self = .array(elements)
        default: return false
        }
        return true
    }

    /// Sets a member, or inserts an element before the one of this number; "-" is the end.
    fileprivate mutating func insert(_ value: JSONValue, at step: String) -> Bool {
        switch self {
        case .object(let members):
            if put(value, at: step) { return true }
            self = .object(members + [JSONMember(name: step, value: value)])
        case .array(var elements):
            let index = step == "-" ? elements.count : Self.number(step)
            guard let index, index <= elements.count else { return false }
            elements.insert(value, at: index)
            self = .array(elements)
        default: return false
        }
        return true
    }

    /// Takes away what is there.
    fileprivate mutating func take(_ step: String) -> Bool {
        switch self {
        case .object(var members):
            guard let index = members.firstIndex(where: { $0.name.hasSameBytes(as: step) }) else { return false }
            members.remove(at: index)
            self = .object(members)
        case .array(var elements):
            guard let index = position(of: step) else { return false }
            elements.remove(at: index)
            self = .array(elements)
        default: return false
        }
        return true
    }

    /// An index by RFC 6901: digits without a leading zero.
    private static func number(_ step: String) -> Int? {
        guard step.utf8.allSatisfy(JSONReader.isDigit), step == "0" || step.utf8.first != UInt8(ascii: "0") else {
            return nil
        }
        return Int(step)
    }

    /// Equality by RFC 6902 section 4.6: the order of members means nothing.
    fileprivate func means(_ other: JSONValue) -> Bool {
        switch (self, other) {
        case (.object(let left), .object(let right)):
            left.count == right.count && left.allSatisfy { other[$0.name]?.means($0.value) ?? false }
        case (.array(let left), .array(let right)):
            left.count == right.count && zip(left, right).allSatisfy { $0.means($1) }
        default: self == other
        }
    }
}
