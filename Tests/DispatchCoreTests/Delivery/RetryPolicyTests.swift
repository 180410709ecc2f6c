import DispatchCore
import Testing

@Suite("Retry policy")
struct RetryPolicyTests {
    private let policy = RetryPolicy()
    private let now = Timestamp(seconds: 1_700_000_000)

    @Test(
        "the longest pauses are the documented table",
        arguments: zip(1...12, [1, 2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300])
    )
    func table(attempt: Int, seconds: Int) {
        #expect(policy.longestDelay(afterAttempt: attempt) == .seconds(seconds))
    }

    @Test("a pause lies between 100 ms and the bound, and uses all of that range", arguments: 1...7)
    func jitter(attempt: Int) throws {
        var generator = SplitMix(seed: UInt64(attempt))
        let bound = policy.longestDelay(afterAttempt: attempt)
        var delays: [Duration] = []
        for _ in 0..<500 {
            delays.append(try #require(delay(after: attempt, .backoff, using: &generator)))
        }
        #expect(delays.allSatisfy { $0 >= .milliseconds(100) && $0 <= bound })
        #expect(try #require(delays.max()) > bound * 0.9)
        #expect(try #require(delays.min()) < bound * 0.2)
    }

    @Test(
        "no draw ever reaches the expiry",
        arguments: [Disposition.backoff, .reconnect, .stop, .reauthenticate, .retryAfter]
    )
    func expiry(disposition: Disposition) {
        var generator = SplitMix(seed: 7)
        for _ in 0..<2_000 {
            let expiresAt = now + .microseconds(Int64.random(in: -1_000_000...400_000_000, using: &generator))
            let retryAfter = Bool.random(using: &generator) ? Duration.seconds(generator.below(100)) : nil
            let decision = policy.nextAttempt(
                afterAttempt: 1 + generator.below(7),
                disposition: disposition,
                retryAfter: retryAfter,
                now: now,
                expiresAt: expiresAt,
                using: &generator
            )
            if case .at(let next) = decision {
                #expect(next < expiresAt && next >= now + .milliseconds(100), "expiry \(expiresAt) seed 7")
            } else {
                #expect(decision == .expired)
                let isTooLate = expiresAt <= now + .milliseconds(100)
                #expect(isTooLate || retryAfter.map { now + $0 >= expiresAt } == true, "expiry \(expiresAt) seed 7")
            }
        }
    }

    @Test(
        "a Retry-After beyond the schedule's bound is the pause, with up to a tenth on top",
        arguments: [2, 3, 60, 7200]
    )
    func retryAfter(seconds: Int) throws {
        var generator = SplitMix(seed: 3)
        let wish = Duration.seconds(seconds)
        for _ in 0..<200 {
            let pause = try #require(delay(after: 1, .retryAfter, retryAfter: wish, using: &generator))
            #expect(pause >= wish && pause <= wish * 1.1)
        }
    }

    @Test(
        "a Retry-After within the schedule's bound is the least pause, and the schedule's growth stays",
        arguments: 1...7
    )
    func shortRetryAfter(attempt: Int) throws {
        var generator = SplitMix(seed: UInt64(attempt))
        let bound = policy.longestDelay(afterAttempt: attempt)
        for wish in [Duration.zero, .seconds(-60), .milliseconds(1), .milliseconds(800)] {
            var delays: [Duration] = []
            for _ in 0..<500 {
                delays.append(
                    try #require(delay(after: attempt, .retryAfter, retryAfter: wish, using: &generator))
                )
            }
            #expect(delays.allSatisfy { $0 >= max(wish, .milliseconds(100)) && $0 <= max(bound, wish * 1.1) })
            #expect(try #require(delays.max()) > bound * 0.9)
        }
    }

    @Test("a gateway that always says at once is met by growing pauses, as one that says nothing")
    func alwaysAtOnce() {
        var total = Duration.zero
        for seed in 0..<200 {
            var generator = SplitMix(seed: UInt64(seed))
            for attempt in 1..<policy.maxAttempts {
                total += delay(after: attempt, .retryAfter, retryAfter: .zero, using: &generator) ?? .zero
            }
        }
        // Half of all bounds, in the mean: 63.5 s.
        #expect(total / 200 > .seconds(50) && total / 200 < .seconds(80), "\(total / 200)")
    }

    @Test("an absurd Retry-After neither overflows nor outlives a month")
    func absurdRetryAfter() throws {
        var generator = SplitMix(seed: 3)
        let pause = try #require(delay(after: 1, .retryAfter, retryAfter: .seconds(Int64.max), using: &generator))
        #expect(pause <= .seconds(33 * 24 * 3600))
    }

    @Test("the eighth attempt is the last, but a stopped channel does not use attempts up")
    func attempts() {
        var generator = SplitMix(seed: 1)
        #expect(delay(after: 7, .backoff, using: &generator) != nil)
        #expect(delay(after: 8, .backoff, using: &generator) == nil)
        #expect(delay(after: 8, .retryAfter, retryAfter: .seconds(1), using: &generator) == nil)
        for _ in 0..<100 {
            let pause = delay(after: 8, .stop, using: &generator)
            #expect(pause.map { $0 >= .seconds(300) && $0 <= .seconds(330) } == true)
        }
    }

    @Test("a credential refused once is tried again soon, refused twice parks the push")
    func reauthenticate() throws {
        var generator = SplitMix(seed: 1)
        #expect(try #require(delay(after: 1, .reauthenticate, using: &generator)) <= .seconds(1))
        #expect(try #require(delay(after: 2, .reauthenticate, using: &generator)) >= .seconds(300))
    }

    @Test("final dispositions are never tried again", arguments: Disposition.allCases.filter(\.isFinal))
    func final(disposition: Disposition) {
        var generator = SplitMix(seed: 1)
        #expect(delay(after: 1, disposition, using: &generator) == nil)
    }

    private func delay(
        after attempt: Int,
        _ disposition: Disposition,
        retryAfter: Duration? = nil,
        using generator: inout SplitMix
    ) -> Duration? {
        let decision = policy.nextAttempt(
            afterAttempt: attempt,
            disposition: disposition,
            retryAfter: retryAfter,
            now: now,
            expiresAt: nil,
            using: &generator
        )
        guard case .at(let next) = decision else { return nil }
        return next - now
    }
}
