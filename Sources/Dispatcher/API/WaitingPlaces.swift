import Synchronization

/// Bounds the jobs of each hub whose publish is not confirmed yet, so that a slow broker fills no memory, and one hub's
/// flood leaves room for the others.
final class WaitingPlaces: Sendable {
    private let limit: Int
    private let taken = Mutex<[Int32: Int]>([:])

    /// A hub's share: with bodies of the greatest length, 256 MiB.
    static let usualLimit = 256

    init(limit: Int = usualLimit) {
        self.limit = limit
    }

    /// Takes a place; false when the hub has none left.
    func take(_ hub: Int32) -> Bool {
        taken.withLock { taken in
            guard taken[hub, default: 0] < limit else { return false }
            taken[hub, default: 0] += 1
            return true
        }
    }

    /// Gives a place back.
    func leave(_ hub: Int32) {
        taken.withLock { taken in
            let left = (taken[hub] ?? 1) - 1
            taken[hub] = left == 0 ? nil : left
        }
    }
}
