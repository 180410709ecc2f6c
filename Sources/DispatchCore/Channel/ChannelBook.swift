/// What one worker knows of its channels: recent answers, pauses in force, and the probes it may still send.
///
/// Pure: time is passed in. The pauses are shared by all workers through PostgreSQL; each counts its own answers, and
/// tells the others of a channel on which somebody sees trouble.
public struct ChannelBook: Sendable {
    private struct ProbeBudget {
        var revision: Int
        var left: Int
        var refillAt: Timestamp
    }

    private static let mostWindows = 1_000
    private let policy: ChannelPolicy
    private var windows: [ChannelKey: ChannelWindow] = [:]
    private var budgets: [ChannelKey: ProbeBudget] = [:]
    private var trusted: Set<ChannelKey> = []

    /// Channels whose trouble the others are to be told of, and those that all tell of.
    private var alarms: Set<ChannelKey> = []
    private var watched: Set<ChannelKey> = []

    /// The pauses in force, those whose probes are out included.
    public private(set) var pauses: [ChannelKey: ChannelPause] = [:]

    /// Opens an empty book.
    public init(policy: ChannelPolicy = ChannelPolicy()) {
        self.policy = policy
    }

    /// Takes over what PostgreSQL says; the guard does not stop a channel that an operator trusts.
    public mutating func replace(_ pauses: [ChannelPause], trusted: Set<ChannelKey>) {
        self.trusted = trusted
        forget(pauses.filter { $0.cause != .throttled && self.pauses[$0.key]?.cause != $0.cause })
        self.pauses = Dictionary(pauses.map { ($0.key, $0) }) { $1 }
        budgets = budgets.filter { self.pauses[$0.key] != nil }
    }

    /// What was counted before a channel was stopped must not stop it again as soon as it is resumed.
    private mutating func forget(_ stops: [ChannelPause]) {
        guard !stops.isEmpty else { return }
        let keys = Set(stops.map(\.key))
        windows = windows.filter { window in !window.key.reaches.contains { keys.contains($0) } }
    }

    /// Does to the pauses what a change says.
    public mutating func apply(_ change: ChannelChange) {
        switch change {
        case .open(let pause), .reopen(let pause): pauses[pause.key] = pause
        case .close(let key, _):
            pauses[key] = nil
            budgets[key] = nil
        }
    }

    /// Asks whether a push may go out on this channel; nil when it may, which uses up a probe where one is needed.
    public mutating func hold(_ key: ChannelKey, now: Timestamp) -> ChannelHold? {
        guard !pauses.isEmpty else { return nil }
        let found = key.reaches.compactMap { pauses[$0] }
        if let closed = found.filter({ $0.until > now }).max(by: { $0.until < $1.until }) {
            return ChannelHold(until: closed.until, reason: closed.label, key: closed.key)
        }
        for pause in found where !takeProbe(of: pause, now: now) {
            return ChannelHold(until: now + ChannelPolicy.probeInterval, reason: pause.label, key: pause.key)
        }
        return nil
    }

    /// Whether the channel is stopped, without using up a probe.
    public func isStopped(_ key: ChannelKey) -> Bool { key.reaches.contains { pauses[$0] != nil } }

    private mutating func takeProbe(of pause: ChannelPause, now: Timestamp) -> Bool {
        var budget = budgets[pause.key] ?? ProbeBudget(revision: -1, left: 0, refillAt: now)
        if budget.revision != pause.revision || budget.refillAt <= now {
            let refill = now + ChannelPolicy.probeInterval
            budget = ProbeBudget(revision: pause.revision, left: ChannelPolicy.probes, refillAt: refill)
        }
        defer { budgets[pause.key] = budget }
        guard budget.left > 0 else { return false }
        budget.left -= 1
        return true
    }
}

extension ChannelBook {
    /// Counts a batch's answers and decides what they change; the changes are in force here at once.
    public mutating func observe(_ report: ChannelReport, now: Timestamp) -> [ChannelChange] {
        guard !report.isEmpty else { return [] }
        let found = report.key.reaches.compactMap { pauses[$0] }
        let changes: [ChannelChange]
        if found.isEmpty {
            changes = trip(report, now: now)
        } else {
            // What is answered before the pause is over was sent before it began.
            changes = found.filter { $0.until <= now }.compactMap { verdict(on: $0, report, now: now) }
        }
        for change in changes { apply(change) }
        return changes
    }

    private mutating func trip(_ report: ChannelReport, now: Timestamp) -> [ChannelChange] {
        if windows.count >= Self.mostWindows { forgetIdle(now: now) }
        windows[report.key, default: ChannelWindow()].add(report, at: now)
        guard report.counts.troubles > 0, let window = windows[report.key] else { return [] }
        let recent = window.sum(seconds: ChannelPolicy.stormSeconds)
        let isTrusted = trusted.contains(report.key)
        if policy.isAlarming(window, isTrusted: isTrusted) { alarms.insert(report.key) }
        if let cause = policy.trip(window, isTrusted: isTrusted, now: now) {
            windows[report.key] = nil
            let asked = cause == .unavailable ? throttle(report, recent: recent, now: now) : []
            return asked.isEmpty ? [.open(pause(cause, report, now: now))] : asked
        }
        return throttle(report, recent: recent, now: now)
    }

    /// Registrations name push services, so there may be any number of them; the silent ones are forgotten.
    private mutating func forgetIdle(now: Timestamp) {
        windows = windows.filter { now.seconds - $0.value.newest < 60 }
    }

    private func pause(_ cause: PauseCause, _ report: ChannelReport, now: Timestamp) -> ChannelPause {
        let reach = cause == .refused ? report.key.reach(of: report.refusalScope) : nil
        let until = now + policy.pause(cause, round: 1)
        return ChannelPause(key: reach ?? report.key, cause: cause, reason: report.word(for: cause), until: until)
    }

    private func throttle(_ report: ChannelReport, recent: ChannelCounts, now: Timestamp) -> [ChannelChange] {
        guard let asked = report.asked, let reach = report.key.reach(of: asked.scope) else { return [] }
        guard recent.unavailable * ChannelPolicy.throttledShare >= recent.accepted + recent.unavailable else {
            return []
        }
        let until = now + min(asked.pause, .seconds(3600))
        return [.open(ChannelPause(key: reach, cause: .throttled, reason: report.word(for: .throttled), until: until))]
    }

    /// What the probes say: nil when they only met things that prove nothing.
    private func verdict(on pause: ChannelPause, _ report: ChannelReport, now: Timestamp) -> ChannelChange? {
        let counts = report.counts
        let isAboutDevices = pause.cause == .dead
        let bad = counts.unavailable + counts.refused + (isAboutDevices ? counts.dead : 0)
        let good = counts.accepted + counts.dated + (isAboutDevices ? 0 : counts.dead + counts.other)
        if good > 0, good >= bad { return .close(pause.key, revision: pause.revision) }
        guard bad > 0 else { return nil }
        let cause = worst(report, otherwise: pause.cause)
        let round = cause == pause.cause ? pause.round + 1 : 1
        let least = policy.pause(cause, round: round)
        let word = report.word(for: cause)
        return .reopen(
            ChannelPause(
                key: pause.key,
                cause: cause,
                reason: word.isEmpty ? pause.reason : word,
                until: now + max(least, min(report.asked?.pause ?? .zero, .seconds(3600))),
                round: round,
                revision: pause.revision + 1
            )
        )
    }

    /// A guard stays one until its devices are known to be alive.
    private func worst(_ report: ChannelReport, otherwise cause: PauseCause) -> PauseCause {
        if cause == .dead { return .dead }
        if report.counts.refused > 0 { return .refused }
        if cause == .throttled, report.asked != nil { return .throttled }
        return report.counts.unavailable > 0 ? .unavailable : cause
    }
}

extension ChannelBook {
    /// What the other workers are to be told now; `takeBack` if they could not be.
    ///
    /// Nothing of a channel on which nobody sees trouble: a healthy one is not spoken of.
    public mutating func testimony() -> [ChannelSecond] {
        defer { alarms = [] }
        return alarms.union(watched).flatMap { key in
            let last = windows[key]?.newest
            return (windows[key]?.takeUntold() ?? []).map { second, counts in
                let isAlarm = second == last && alarms.contains(key)
                return ChannelSecond(key: key, second: second, counts: counts, isAlarm: isAlarm)
            }
        }
    }

    /// What was to be told was not.
    public mutating func takeBack(_ testimony: [ChannelSecond]) {
        for told in testimony {
            windows[told.key]?.takeBack(from: told.second)
            if told.isAlarm { alarms.insert(told.key) }
        }
    }

    /// Hears what all workers have told, and decides by all of it; the changes are in force here at once.
    public mutating func hear(_ answers: [SharedAnswers], now: Timestamp) -> [ChannelChange] {
        watched = Set(answers.map(\.key))
        let changes = answers.compactMap { judge($0, now: now) }
        for change in changes { apply(change) }
        return changes
    }

    /// Only who has met the trouble can say what the gateway's word was.
    private mutating func judge(_ answers: SharedAnswers, now: Timestamp) -> ChannelChange? {
        let key = answers.key
        guard !isStopped(key), let cause = policy.trip(answers, isTrusted: trusted.contains(key), now: now),
            let word = windows[key]?.words[cause]
        else { return nil }
        windows[key] = nil
        return .open(ChannelPause(key: key, cause: cause, reason: word, until: now + policy.pause(cause, round: 1)))
    }
}
