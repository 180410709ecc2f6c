/// Counts of the last so many seconds, by the second.
struct SecondRing<Bucket: Sendable>: Sendable {
    private let empty: Bucket

    /// All of them, in no order that means anything.
    private(set) var buckets: [Bucket]

    /// The latest second that was counted; the least there is before the first.
    private(set) var newest = Int64.min

    /// A ring of `length` seconds, in which nothing is counted yet.
    init(length: Int, of empty: Bucket) {
        self.empty = empty
        buckets = Array(repeating: empty, count: length)
    }

    var length: Int64 { Int64(buckets.count) }

    /// The bucket of a second that is at most `length` before the newest.
    subscript(second: Int64) -> Bucket {
        get { buckets[index(second)] }
        set { buckets[index(second)] = newValue }
    }

    /// Makes room for a later second; answers whether everything before it is forgotten.
    ///
    /// An earlier one changes nothing.
    mutating func advance(to second: Int64) -> Bool {
        guard second > newest else { return false }
        guard newest > Int64.min, second - newest < length else {
            restart(at: second)
            return true
        }
        for passed in newest + 1...second { self[passed] = empty }
        newest = second
        return false
    }

    /// Forgets everything and begins with the second.
    mutating func restart(at second: Int64) {
        buckets = Array(repeating: empty, count: buckets.count)
        newest = second
    }

    private func index(_ second: Int64) -> Int {
        let rest = Int(second % length)
        return rest < 0 ? rest + buckets.count : rest
    }
}
