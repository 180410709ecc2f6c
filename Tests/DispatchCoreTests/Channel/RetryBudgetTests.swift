import Testing

@testable import DispatchCore

struct RetryBudgetTests {
    typealias Example = ChannelExample
    private let start = Example.start

    /// How many of so many retries find a place.
    private func granted(_ count: Int, _ budget: inout RetryBudget, at now: Timestamp, on key: ChannelKey = Example.key)
        -> Int
    {
        (0..<count).count { _ in budget.hold(key, now: now) == nil }
    }

    private func firsts(_ count: Int) -> ChannelReport { Example.report([(count, Example.unavailable)]) }

    @Test("without first attempts the floor is all there is; the rest waits a second with its reason")
    func floor() {
        var budget = RetryBudget()
        #expect(granted(5_000, &budget, at: start) == RetryBudget.floor)
        let gateway = ChannelKey(hub: 1, platform: .apns)
        #expect(
            budget.hold(Example.key, now: start)
                == ChannelHold(until: start + .seconds(1), reason: nil, key: gateway)
        )
    }

    @Test("a tenth of the first attempts of the last ten seconds may be tried again")
    func share() {
        var budget = RetryBudget()
        for step in 0..<10 { budget.observe(firsts(2_000), now: start + .seconds(step)) }
        #expect(granted(5_000, &budget, at: start + .seconds(9)) == 2_000)
        // A second later the first 2,000 are out of sight, and none of the retries: a trickle is left.
        #expect(granted(100, &budget, at: start + .seconds(10)) == RetryBudget.trickle)
        #expect(granted(100, &budget, at: start + .seconds(11)) == RetryBudget.trickle)
        #expect(granted(5_000, &budget, at: start + .seconds(19)) == RetryBudget.floor - 2 * RetryBudget.trickle)
    }

    @Test("a retry that is accepted gives its place back, one that fails does not")
    func refund() {
        var budget = RetryBudget()
        #expect(granted(RetryBudget.floor, &budget, at: start) == RetryBudget.floor)
        budget.observe(Example.report([(30, Example.accepted), (70, Example.unavailable)], attempt: 2), now: start)
        #expect(granted(1_000, &budget, at: start) == 30)
    }

    @Test("a gateway that fails for good gets at most a tenth more, whatever waits")
    func failing() {
        var budget = RetryBudget()
        var first = 0
        var again = 0
        for step in 0..<600 {
            let now = start + .milliseconds(100 * step)
            budget.observe(firsts(200), now: now)
            first += 200
            again += granted(200, &budget, at: now)
        }
        let trickle = 60 * RetryBudget.trickle
        #expect(again <= first / 10 + trickle && again > first / 20, "\(again) of \(first)")
    }

    @Test("topics share a budget; hubs, platforms, environments and push services do not")
    func keys() {
        var budget = RetryBudget()
        _ = granted(RetryBudget.floor, &budget, at: start)
        let other = ChannelKey(hub: 1, platform: .apns, target: "other")
        #expect(granted(1, &budget, at: start, on: other) == 0)
        for key in [
            ChannelKey(hub: 2, platform: .apns, target: Example.key.target), ChannelKey(hub: 1, platform: .fcmV1),
            ChannelKey(hub: 1, platform: .apns, target: Example.key.target, isSandbox: true),
            ChannelKey(hub: 1, platform: .browser, target: "https://a"),
            ChannelKey(hub: 1, platform: .browser, target: "https://b"),
        ] {
            #expect(granted(5_000, &budget, at: start, on: key) == RetryBudget.floor, "\(key)")
        }
    }

    @Test("a clock that is set back does not hold retries up for as long")
    func clock() {
        var budget = RetryBudget()
        _ = granted(RetryBudget.floor, &budget, at: start)
        #expect(granted(1, &budget, at: start + .seconds(-5)) == 0)
        #expect(granted(5_000, &budget, at: start + .seconds(-3_600)) == RetryBudget.floor)
    }

    @Test("what ended or was held without an attempt counts for nothing")
    func silent() {
        var budget = RetryBudget()
        var report = ChannelReport(Example.key)
        report.add(.ended(.expired, reason: "Expired", attempts: 1), attempt: 2, now: start)
        budget.observe(report, now: start)
        #expect(report.firsts == 0 && report.acceptedRetries == 0)
    }
}
