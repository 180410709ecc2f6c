/// How many pushes one worker may try again at each gateway, so that one that fails does not meet twice its load.
///
/// In any ten seconds the retries that were not accepted, or not answered yet, are at most a tenth of the first attempts,
/// or 1,000 where that is more. One that is accepted gives its place back: where trying again helps, nothing holds it up.
/// Pure: time is passed in.
public struct RetryBudget: Sendable {
    /// A retry for each so many first attempts.
    public static let share = 10

    /// So many retries in a window need no first attempts.
    public static let floor = 1_000

    /// So many a second go out even when the budget is used up: else nobody would know how the gateway is.
    public static let trickle = 10

    /// How far back it looks.
    public static let window = Duration.seconds(10)

    /// How long a retry waits that finds no place, before it asks again.
    public static let wait = Duration.seconds(1)

    private static let mostWindows = 1_000
    private var windows: [ChannelKey: RetryWindow] = [:]

    /// Starts with nothing sent.
    public init() {}

    /// Asks whether a push may be tried again on this channel, which uses up a place; else it waits with its reason.
    public mutating func hold(_ channel: ChannelKey, now: Timestamp) -> ChannelHold? {
        let key = channel.gateway
        if windows.count >= Self.mostWindows, windows[key] == nil { forgetIdle(now: now) }
        let isGranted = windows[key, default: RetryWindow()].take(at: now)
        return isGranted ? nil : ChannelHold(until: now + Self.wait, reason: nil, key: key)
    }

    /// Counts a batch's answers on one channel.
    public mutating func observe(_ report: ChannelReport, now: Timestamp) {
        guard report.firsts > 0 || report.acceptedRetries > 0 else { return }
        let key = report.key.gateway
        if windows.count >= Self.mostWindows, windows[key] == nil { forgetIdle(now: now) }
        windows[key, default: RetryWindow()].add(firsts: report.firsts, accepted: report.acceptedRetries, at: now)
    }

    /// Registrations name push services, so there may be any number of them; the silent ones are forgotten.
    private mutating func forgetIdle(now: Timestamp) {
        windows = windows.filter { now.seconds - $0.value.newest < Self.window.components.seconds }
    }
}
