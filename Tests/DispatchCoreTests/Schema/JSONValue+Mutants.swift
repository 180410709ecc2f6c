import DispatchCore

extension JSONValue {
    /// Every document that differs from this one in one place: a value of another kind, a member or an element more or less.
    var mutants: [JSONValue] {
        let others: [JSONValue] = [
            .null, .bool(true), .number(JSONNumber(7)), .string("text"), .array([]), .object([]),
        ]
        return others.filter { $0 != self } + changedInside
    }

    private var changedInside: [JSONValue] {
        switch self {
        case .null, .bool, .string: []
        case .number: [.number(JSONNumber(-1)), .number(JSONNumber(1 << 40))]
        case .array(let elements): Self.changed(elements)
        case .object(let members): Self.changed(members)
        }
    }

    private static func changed(_ elements: [JSONValue]) -> [JSONValue] {
        elements.indices.flatMap { index in
            [JSONValue.array(elements.replacing(index, by: []))]
                + elements[index].mutants.map { .array(elements.replacing(index, by: [$0])) }
        }
    }

    private static func changed(_ members: [JSONMember]) -> [JSONValue] {
        let more = JSONMember(name: "Extra", value: .string("text"))
        return [.object(members + [more])]
            + members.indices.flatMap { index in
                let name = members[index].name
                return [JSONValue.object(members.replacing(index, by: []))]
                    + members[index].value.mutants.map {
                        .object(members.replacing(index, by: [JSONMember(name: name, value: $0)]))
                    }
            }
    }
}

extension Array {
    fileprivate func replacing(_ index: Int, by elements: [Element]) -> [Element] {
        self[..<index] + elements + self[(index + 1)...]
    }
}
