/// What was sent to one gateway in the last seconds, by the second.
struct RetryWindow: Sendable {
    private struct Second {
        var firsts = 0
        var retries = 0
        var accepted = 0
    }

    private var seconds = SecondRing(length: Int(RetryBudget.window.components.seconds), of: Second())

    /// The second of the last entry.
    var newest: Int64 { seconds.newest }

    /// Takes a place for a retry; answers whether there was one.
    mutating func take(at now: Timestamp) -> Bool {
        advance(to: now.seconds)
        let sum = seconds.buckets.reduce(into: Second()) { sum, second in
            sum.firsts += second.firsts
            sum.retries += second.retries
            sum.accepted += second.accepted
        }
        guard
            sum.retries - sum.accepted < max(RetryBudget.floor, sum.firsts / RetryBudget.share)
                || seconds[newest].retries < RetryBudget.trickle
        else { return false }
        seconds[newest].retries += 1
        return true
    }

    mutating func add(firsts: Int, accepted: Int, at now: Timestamp) {
        advance(to: now.seconds)
        seconds[newest].firsts += firsts
        seconds[newest].accepted += accepted
    }

    /// A clock that was set back a little counts into the newest second; one that was set back far begins anew.
    private mutating func advance(to second: Int64) {
        if newest > Int64.min, newest - second >= seconds.length {
            seconds.restart(at: second)
        } else {
            _ = seconds.advance(to: second)
        }
    }
}
