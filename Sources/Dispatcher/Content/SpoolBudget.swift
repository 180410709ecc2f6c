import Synchronization

/// How much all unfinished uploads and files of contents together may take of the disk.
final class SpoolBudget: Sendable {
    private let limit: Int
    private let used = Atomic<Int>(0)

    /// - Parameter limit: Octets; a hundred uploads of the greatest length.
    init(limit: Int = 1 << 30) {
        self.limit = limit
    }

    /// What is taken at the moment.
    var usedBytes: Int { used.load(ordering: .relaxed) }

    /// Whether little is left of it.
    var isTight: Bool { usedBytes > limit / 4 * 3 }

    /// Takes so many octets; false when they are not there.
    func take(_ count: Int) -> Bool {
        guard used.wrappingAdd(count, ordering: .relaxed).newValue <= limit else {
            giveBack(count)
            return false
        }
        return true
    }

    func giveBack(_ count: Int) {
        used.wrappingSubtract(count, ordering: .relaxed)
    }
}
