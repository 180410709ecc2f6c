import Synchronization

/// This worker's turn to write what an ordered queue brings.
///
/// The broker makes another consumer active when this one's channel is lost, and gives it the same messages again. A
/// transaction that was under way here must then not come after that one's: a turn is begun for each channel, and a
/// wave is written only while its turn is the latest.
final class IntakeTurn: Sendable {
    private let store: TurnStore
    private let held = Mutex<(channel: UInt64, number: Int64)?>(nil)

    init(store: TurnStore) {
        self.store = store
    }

    /// The turn of the channel that brought the messages; begins it with the channel's first.
    func held(on channel: UInt64) async throws -> TurnStore.Turn {
        if let known = held.withLock({ $0 }), known.channel == channel {
            return TurnStore.Turn(queue: store.queue, number: known.number)
        }
        let turn = try await store.begin()
        held.withLock { $0 = (channel, turn.number) }
        return turn
    }

    /// The turn is over; the next wave begins another.
    func forget() { held.withLock { $0 = nil } }
}
