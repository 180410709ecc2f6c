/// Enumerations whose raw values are their spellings in JSON.
extension JSONValue {
    /// Reads a string that spells one of the cases.
    func spelling<Choice>(
        of type: Choice.Type
    ) throws(JobError) -> Choice
    where Choice: CaseIterable & RawRepresentable, Choice.RawValue == String {
        guard case .string(let text) = self else { throw wrongType(expected: "a string") }
        guard let choice = Choice(rawValue: text) else {
            let names = Choice.allCases.map { "“\($0.rawValue)”" }.joined(separator: ", ")
            throw JobError(.outOfRange, reason: "Must be one of \(names).")
        }
        return choice
    }

    /// Reads a list of spellings as a set; one that is there twice counts once.
    func spellings<Choice>(
        of type: Choice.Type
    ) throws(JobError) -> Set<Choice>
    where Choice: CaseIterable & RawRepresentable & Hashable, Choice.RawValue == String {
        Set(
            try list(limit: Choice.allCases.count) { (element) throws(JobError) in
                try element.spelling(of: type)
            }
        )
    }
}

extension JSONWriter {
    /// Writes a member whose value lists the cases in `set` in the order of their declaration, or nothing when there are none.
    mutating func member<Choice>(
        _ name: String,
        _ set: Set<Choice>
    ) where Choice: CaseIterable & RawRepresentable & Hashable, Choice.RawValue == String {
        guard !set.isEmpty else { return }
        key(name)
        beginArray()
        for choice in Choice.allCases where set.contains(choice) {
            string(choice.rawValue)
        }
        endArray()
    }
}
