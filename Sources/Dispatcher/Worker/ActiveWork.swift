import Synchronization

/// The batches, or the plans, that this process knows to be in its hands.
///
/// The database may know more: when the answer to a commit is lost, work is begun that nobody here does. What is ours
/// in SQL and unknown here in two looks in a row is given back, flagged as ambiguous.
final class ActiveWork: Sendable {
    private struct State {
        var active: Set<Int64> = []
        var suspects: Set<Int64> = []
    }

    private let state = Mutex(State())

    func insert(_ id: Int64) { state.withLock { _ = $0.active.insert(id) } }
    func remove(_ id: Int64) { state.withLock { _ = $0.active.remove(id) } }

    /// Compares with what the database says is ours; answers what was unknown in this look and in the one before.
    func abandoned(of owned: [Int64]) -> [Int64] {
        state.withLock { state in
            let unknown = Set(owned).subtracting(state.active)
            defer { state.suspects = unknown }
            return unknown.intersection(state.suspects).sorted()
        }
    }
}
