/// When a channel stops, for how long, and what brings it back: the numbers of docs/operations.md.
public struct ChannelPolicy: Sendable {
    /// How far back devices are restored: what the guard counts, and the time to agree about it.
    public static let restoreWindow = Duration.seconds(75)

    /// Fewer dead channels than this prove nothing: a small app may lose some at once.
    static let leastDead = 50

    /// The guard asks so many seconds of answers, each time anew: what was accepted before a mistake must not hide it for a
    /// minute, and a mistake that comes in slowly has to be seen too.
    static let guardSeconds = [3, 10, 60]

    /// In a healthy audience 1–5 % of the channels are dead; here less than 5 % are alive.
    static let deadShare = 20

    /// A push channel that died longer ago than this, by the gateway's date, is no accident of this moment.
    static let freshness = Duration.seconds(600)

    /// A storm is judged by the current second and the two before it.
    static let stormSeconds = 3

    /// What several workers tell of a storm arrives a second late.
    static let sharedStormSeconds = 4

    /// A storm that several see is judged this long after the first alarm: by then all have told what they know.
    static let hearing = Duration.seconds(2)

    /// Dead devices of the last so many seconds do not count yet: somebody may have accepted pushes to tell of.
    static let settlingSeconds = 3

    /// Fewer failures than this are left to the retries of each delivery.
    static let leastUnavailable = 20

    /// With a fifth of the pushes accepted the gateway is slow rather than away, and retries cope.
    static let stormShare = 5

    /// So many failures in a row, over so long a time, outweigh what was accepted just before.
    static let failureRun = 100
    static let failureTime = Duration.seconds(1)

    /// So many refusals of the credential in a row outweigh what was accepted just before.
    static let refusalRun = 5

    /// A limit met by fewer than one answer in twenty concerns those pushes, not the channel.
    static let throttledShare = 20

    /// Probes that each worker may send at a time.
    static let probes = 3

    /// How long those that are not probes wait for the verdict, and how soon more probes may follow.
    static let probeInterval = Duration.seconds(2)

    /// The longest pause, and the longest that a gateway may ask for at once.
    static let longestPause = Duration.seconds(300)

    /// Overrides the first pause, for tests; nil: 5 s for a gateway in trouble, 30 s where a person has to act.
    private let override: Duration?

    /// Makes a policy.
    public init(firstPause: Duration? = nil) {
        override = firstPause
    }

    /// How long the pause of this round is: it doubles up to `longestPause`.
    public func pause(_ cause: PauseCause, round: Int) -> Duration {
        let first = override ?? (cause == .refused || cause == .dead ? .seconds(30) : .seconds(5))
        return min(first * (1 << min(max(round - 1, 0), 10)), Self.longestPause)
    }

    /// The first second of which what was told still counts.
    public static func oldestSecond(at now: Timestamp) -> Int64 { now.seconds - 60 - Int64(settlingSeconds) + 1 }

    /// Whether the recent answers on a channel stop it, and why; the guard looks away from a trusted one.
    func trip(_ window: ChannelWindow, isTrusted: Bool, now: Timestamp) -> PauseCause? {
        let recent = window.sum(seconds: Self.stormSeconds)
        let minute = window.sum(seconds: 60)
        if !isTrusted, Self.guardSeconds.contains(where: { isMassFailure(window.sum(seconds: $0)) }) { return .dead }
        if window.refusals >= Self.refusalRun || window.refusals > 0 && recent.accepted == 0 { return .refused }
        if window.failures >= Self.failureRun, window.failing(until: now) >= Self.failureTime { return .unavailable }
        return isStorm(recent) || hasNoSuccess(minute) ? .unavailable : nil
    }

    /// The same for what all workers have told of a channel, of which each may have seen too little.
    func trip(_ shared: SharedAnswers, isTrusted: Bool, now: Timestamp) -> PauseCause? {
        if !isTrusted, Self.guardSeconds.contains(where: { isMassFailure(shared, seconds: $0, now: now) }) {
            return .dead
        }
        guard now - shared.alarmedAt >= Self.hearing else { return nil }
        let recent = shared.sum(after: now.seconds - Int64(Self.sharedStormSeconds))
        return isStorm(recent) || hasNoSuccess(shared.sum(after: now.seconds - 60)) ? .unavailable : nil
    }

    /// Whether a worker's answers, however few, are such that all together may stop the channel.
    ///
    /// What is so of all of them is so of at least one worker's.
    func isAlarming(_ window: ChannelWindow, isTrusted: Bool) -> Bool {
        Self.guardSeconds.map { window.sum(seconds: $0) }.contains { counts in
            !isTrusted && counts.dead > 0 && isMostlyDead(counts)
                || counts.unavailable > 0 && counts.accepted * Self.stormShare < counts.accepted + counts.unavailable
        }
    }

    private func isStorm(_ counts: ChannelCounts) -> Bool {
        counts.unavailable >= Self.leastUnavailable
            && counts.accepted * Self.stormShare < counts.accepted + counts.unavailable
    }

    /// A channel with little traffic fails as surely, only more slowly.
    private func hasNoSuccess(_ minute: ChannelCounts) -> Bool {
        minute.unavailable >= Self.leastUnavailable && minute.accepted == 0
    }

    private func isMassFailure(_ counts: ChannelCounts) -> Bool {
        counts.dead >= Self.leastDead && isMostlyDead(counts)
    }

    private func isMassFailure(_ shared: SharedAnswers, seconds: Int, now: Timestamp) -> Bool {
        let settled = now.seconds - Int64(Self.settlingSeconds)
        var counts = shared.sum(after: settled - Int64(seconds))
        counts.dead = shared.sum(after: settled - Int64(seconds), through: settled).dead
        return isMassFailure(counts)
    }

    private func isMostlyDead(_ counts: ChannelCounts) -> Bool {
        counts.accepted * Self.deadShare < counts.accepted + counts.dead
    }
}
