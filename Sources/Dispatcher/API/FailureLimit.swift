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

    private let entries = Mutex<[[UInt8]: Entry]>([:])
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
        let wait = entries.withLock { entries -> Int? in
            guard let entry = entries[Self.key(peer)], entry.count >= hardLimit else { return nil }
            return Self.remainingSeconds(entry, now)
        }
        if let wait { throw .tooManyFailures(seconds: wait) }
    }

    /// Counts a failure; answers what to say to it.
    func refusal(of peer: HTTPPeer, now: ContinuousClock.Instant) -> Problem {
        entries.withLock { entries in
            let key = Self.key(peer)
            if entries[key] == nil, entries.count >= Self.addressLimit {
                entries = entries.filter { now - $0.value.start < Self.period }
            }
            guard entries[key] != nil || entries.count < Self.addressLimit else { return .unauthorized }
            var entry = entries[key] ?? Entry(start: now, count: 0)
            if now - entry.start >= Self.period { entry = Entry(start: now, count: 0) }
            entry.count += 1
            entries[key] = entry
            guard entry.count > softLimit, let wait = Self.remainingSeconds(entry, now) else { return .unauthorized }
            return .tooManyFailures(seconds: wait)
        }
    }

    /// How many addresses are remembered.
    var addressCount: Int { entries.withLock { $0.count } }

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
