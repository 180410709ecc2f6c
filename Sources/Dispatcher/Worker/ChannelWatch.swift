import DispatchCore
import Synchronization

/// This process's view of its channels, shared by all lanes.
///
/// A decision is in force here at once; `ChannelKeeper` carries it to PostgreSQL, and from there to the other workers.
final class ChannelWatch: Sendable {
    private struct State {
        var book: ChannelBook
        var budget = RetryBudget()
        /// Retries that found no place in their gateway's budget since somebody was told.
        var heldRetries: [ChannelKey: Int] = [:]
        /// All of them, since the process began.
        var heldRetryTotals: [Platform: Int] = [:]
        /// Changes that this worker was the first to make, since the process began.
        var changes: [ChannelTurn: Int] = [:]
        /// Decided here, not yet in PostgreSQL.
        var unsaved: [ChannelChange] = []
    }

    private let state: Mutex<State>
    private let paused = Atomic<Bool>(false)

    init(policy: ChannelPolicy = ChannelPolicy()) {
        state = Mutex(State(book: ChannelBook(policy: policy)))
    }

    /// The one check that every batch makes.
    var isAnyPaused: Bool { paused.load(ordering: .relaxed) }

    /// The channels that are stopped now.
    var pauses: [ChannelPause] { state.withLock { Array($0.book.pauses.values) } }

    /// Why a device's push has to wait, if it has to; a probe that goes out is counted.
    func hold(_ device: DeliveryTarget.Device, of hub: Hub, now: Timestamp) -> ChannelHold? {
        let key = ChannelKey(device, of: hub)
        return state.withLock { $0.book.hold(key, now: now) }
    }

    /// Why a push that was tried before has to wait, if it has to; one that goes out is counted.
    func holdRetry(_ device: DeliveryTarget.Device, of hub: Hub, now: Timestamp) -> ChannelHold? {
        let key = ChannelKey(device, of: hub)
        return state.withLock { state in
            let hold = state.budget.hold(key, now: now)
            if let gateway = hold?.key {
                state.heldRetries[gateway, default: 0] += 1
                state.heldRetryTotals[gateway.platform, default: 0] += 1
            }
            return hold
        }
    }

    /// How many retries had to wait, by gateway, since this was asked last.
    func takeHeldRetries() -> [ChannelKey: Int] {
        state.withLock { state in
            defer { state.heldRetries = [:] }
            return state.heldRetries
        }
    }

    /// Whether a device's channel is stopped, without using up a probe.
    func isStopped(_ device: DeliveryTarget.Device, of hub: Hub) -> Bool {
        let key = ChannelKey(device, of: hub)
        return state.withLock { $0.book.isStopped(key) }
    }

    /// How many retries had to wait since the process began, by platform.
    var heldRetryTotals: [Platform: Int] { state.withLock { $0.heldRetryTotals } }

    /// Counts what a batch's pushes were answered.
    func observe(_ batch: BatchWork, results: [DeliveryResult?], now: Timestamp) {
        let reports = ChannelTally(batch, results: results, now: now).reports
        update { state in
            for report in reports {
                state.budget.observe(report, now: now)
                state.unsaved += state.book.observe(report, now: now)
            }
        }
    }

    /// Takes over PostgreSQL's view; what is decided here and not yet there stays in force.
    func replace(_ stored: ChannelStore.Snapshot) {
        update { state in
            state.book.replace(stored.pauses, trusted: stored.trusted)
            for change in state.unsaved { state.book.apply(change) }
        }
    }

    /// What the other workers are to be told of channels in trouble; `takeBack` if they could not be.
    func testimony() -> [ChannelSecond] { state.withLock { $0.book.testimony() } }

    func takeBack(_ testimony: [ChannelSecond]) { state.withLock { $0.book.takeBack(testimony) } }

    /// Decides by what all workers have told.
    func hear(_ answers: [SharedAnswers], now: Timestamp) {
        update { $0.unsaved += $0.book.hear(answers, now: now) }
    }

    /// What is to be saved; it stays until `saved` says that it is.
    var unsaved: [ChannelChange] { state.withLock { $0.unsaved } }

    /// Counts a change that this worker was the first to make.
    func count(_ turn: ChannelTurn) { state.withLock { $0.changes[turn, default: 0] += 1 } }

    /// The changes that this worker was the first to make, since the process began.
    var changes: [ChannelTurn: Int] { state.withLock { $0.changes } }

    func saved(_ count: Int) { state.withLock { $0.unsaved.removeFirst(count) } }

    private func update(_ body: (inout State) -> Void) {
        state.withLock { state in
            body(&state)
            paused.store(!state.book.pauses.isEmpty, ordering: .relaxed)
        }
    }
}

extension ChannelKey {
    init(_ device: DeliveryTarget.Device, of hub: Hub) {
        let topic = device.topic ?? hub.apnsTopic
        self.init(
            hub: hub.id,
            platform: device.platform,
            topic: topic,
            channel: device.channel,
            isSandbox: device.isSandbox
        )
    }
}
