import DispatchCore

/// Changes of a notification's counts, summed over the part of a batch that belongs to it.
///
/// Deliveries come grouped by notification, so the running notification is summed in place and no dictionary is needed.
struct ProgressLedger: Sendable {
    struct Entry: Sendable, Equatable {
        let notification: NotificationID
        let state: DeliveryState
        let delta: Int32
    }

    private var closed: [Entry] = []
    private var current: NotificationID?
    private var deltas = SIMD8<Int32>()

    /// Counts one delivery that has come to `state`; one that was retrying leaves that state.
    mutating func count(_ state: DeliveryState, of notification: NotificationID, wasRetrying: Bool) {
        if notification != current {
            closed += open
            current = notification
            deltas = SIMD8()
        }
        deltas[Int(state.rawValue)] += 1
        if wasRetrying { deltas[Int(DeliveryState.retrying.rawValue)] -= 1 }
    }

    /// One entry for each notification and state whose count changes.
    var entries: [Entry] { closed + open }

    private var open: [Entry] {
        guard let current else { return [] }
        return DeliveryState.allCases.compactMap { state in
            let delta = deltas[Int(state.rawValue)]
            return delta == 0 ? nil : Entry(notification: current, state: state, delta: delta)
        }
    }
}
