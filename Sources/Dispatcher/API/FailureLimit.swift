import HTTP
import Synchronization

/// Counts failed authorizations per address, one minute at a time.
///
/// Past the first limit a failure is answered 429 while good credentials still pass, since many phones may share an
/// address; past the second nothing is looked up any more for the rest of the minute.
final class FailureLimit: Sendable {
    private struct Entry {
        var start: ContinuousClock.Instant
        var count: Int
    }

    private struct State {
        var entries: [[UInt8]: Entry] = [:]
        var nextCleaning = ContinuousClock.now
    }

    private let state = Mutex(State())
    private let softLimit: Int
    private let hardLimit: Int

    private static let period = Duration.seconds(60)
    /// Addresses remembered; beyond it nobody new is counted until old ones are forgotten, so memory is bounded.
    private static let addressLimit = 10_000

    init(softLimit: Int = 30, hardLimit: Int = 600) {
        self.softLimit = softLimit
        self.hardLimit = hardLimit
    }

    /// Refuses an address that is beyond the second limit.
    func checkMayTry(_ peer: HTTPPeer, now: ContinuousClock.Instant) throws(Problem) {
        let wait = state.withLock { state -> Int? in
            guard let entry = state.entries[Self.key(peer)], entry.count >= hardLimit else { return nil }
            return Self.remainingSeconds(entry, now)
        }
        if let wait { throw .tooManyFailures(seconds: wait) }
    }

    /// Counts a failure; answers what to say to it.
    func refusal(of peer: HTTPPeer, now: ContinuousClock.Instant) -> Problem {
        state.withLock { state in
            let key = Self.key(peer)
            if state.entries[key] == nil { Self.makeRoom(&state, now) }
            guard state.entries[key] != nil || state.entries.count < Self.addressLimit else { return .unauthorized }
            var entry = state.entries[key] ?? Entry(start: now, count: 0)
            if now - entry.start >= Self.period { entry = Entry(start: now, count: 0) }
            entry.count += 1
            state.entries[key] = entry
            guard entry.count > softLimit, let wait = Self.remainingSeconds(entry, now) else { return .unauthorized }
            return .tooManyFailures(seconds: wait)
        }
    }

    /// Forgets old addresses when there are too many; at most once a second, since it looks at all of them.
    private static func makeRoom(_ state: inout State, _ now: ContinuousClock.Instant) {
        guard state.entries.count >= addressLimit, now >= state.nextCleaning else { return }
        state.entries = state.entries.filter { now - $0.value.start < period }
        state.nextCleaning = now + .seconds(1)
    }

    /// How many addresses are remembered.
    var addressCount: Int { state.withLock { $0.entries.count } }

    /// Whole seconds until the period ends; nil when it has.
    private static func remainingSeconds(_ entry: Entry, _ now: ContinuousClock.Instant) -> Int? {
        let rest = period - (now - entry.start)
        return rest > .zero ? Int(rest.components.seconds) + 1 : nil
    }

    /// An IPv6 client has a whole /64 to itself.
    private static func key(_ peer: HTTPPeer) -> [UInt8] {
        peer.octets.count == 16 ? Array(peer.octets.prefix(8)) : peer.octets
    }
}
