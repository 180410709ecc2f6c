/// The member names an object has so far: few are compared one by one, many are kept in a set.
struct JSONNames {
    private var set: Set<UTF8Text> = []

    /// Below this, comparing all is quicker than hashing; above it, a hostile object would cost the square of its size.
    private static let listLimit = 12

    /// Adds `name`, which is to follow `members`; false when it is there already.
    mutating func insert(_ name: String, into members: [JSONMember]) -> Bool {
        guard members.count >= Self.listLimit else {
            return !members.contains { $0.name.hasSameBytes(as: name) }
        }
        if set.isEmpty {
            set = Set(members.lazy.map { UTF8Text($0.name) })
        }
        return set.insert(UTF8Text(name)).inserted
    }
}
