/// What was sent to one gateway in the last seconds, by the second.
struct RetryWindow: Sendable {
    private struct Second {
        var firsts = 0
        var retries = 0
        var accepted = 0
    }

    private static let length = Int(RetryBudget.window.components.seconds)
    private var seconds = Array(repeating: Second(), count: length)

    /// The second of the last entry.
    private(set) var newest = Int64.min

    /// Takes a place for a retry; answers whether there was one.
    mutating func take(at now: Timestamp) -> Bool {
        advance(to: now.seconds)
        let sum = seconds.reduce(into: Second()) { sum, second in
            sum.firsts += second.firsts
            sum.retries += second.retries
            sum.accepted += second.accepted
        }
        guard
            sum.retries - sum.accepted < max(RetryBudget.floor, sum.firsts / RetryBudget.share)
                || seconds[Self.index(newest)].retries < RetryBudget.trickle
        else { return false }
        seconds[Self.index(newest)].retries += 1
        return true
    }

    mutating func add(firsts: Int, accepted: Int, at now: Timestamp) {
        advance(to: now.seconds)
        seconds[Self.index(newest)].firsts += firsts
        seconds[Self.index(newest)].accepted += accepted
    }

    /// A clock that was set back a little counts into the newest second; one that was set back far begins anew.
    private mutating func advance(to second: Int64) {
        guard second > newest || newest - second >= Int64(Self.length) else { return }
        if newest == Int64.min || abs(second - newest) >= Int64(Self.length) {
            seconds = Array(repeating: Second(), count: Self.length)
        } else {
            for passed in newest + 1...second { seconds[Self.index(passed)] = Second() }
        }
        newest = second
    }

    private static func index(_ second: Int64) -> Int {
        let rest = Int(second % Int64(length))
        return rest < 0 ? rest + length : rest
    }
}
