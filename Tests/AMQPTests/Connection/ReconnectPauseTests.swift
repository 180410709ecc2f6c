import Testing

@testable import AMQP

@Suite("ReconnectPause")
struct ReconnectPauseTests {
    private static let start = ContinuousClock.now

    /// The moments of the tries that failed, of ten connections that each ask when they were told to.
    private static func failures(
        for length: Duration,
        jitter: Double,
        fails: (Duration) -> Bool = { _ in true }
    ) -> [Duration] {
        var pause = ReconnectPause()
        var askAt = Array(repeating: Duration.zero, count: 10)
        var failed: [Duration] = []
        while let moment = askAt.min(), moment < length, let who = askAt.firstIndex(of: moment) {
            if let wait = pause.ask(at: start + moment) {
                askAt[who] = moment + wait
            } else if fails(moment) {
                failed.append(moment)
                pause.fail(jitter: jitter)
            } else {
                pause.succeed()
                // It holds for a second.
                askAt[who] = moment + .seconds(1)
            }
        }
        return failed
    }

    private static func mostInAMinute(_ tries: [Duration]) -> Int {
        tries.map { first in tries.count { $0 >= first && $0 < first + .seconds(60) } }.max() ?? 0
    }

    @Test(
        "ten connections together make at most ten tries in any minute, and one within ten seconds",
        arguments: [0.9, 0.95, 1.0]
    )
    func rate(jitter: Double) {
        let tries = Self.failures(for: .seconds(600), jitter: jitter)
        #expect(tries.count > 60 && Self.mostInAMinute(tries) <= 10)
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 <= .seconds(10) })
    }

    @Test("nor more when the broker takes a connection now and then", arguments: 1...20)
    func flapping(period: Int) {
        let tries = Self.failures(for: .seconds(600), jitter: 0.9) { moment in
            Int(moment / .milliseconds(500)) / period % 3 != 0
        }
        #expect(!tries.isEmpty && Self.mostInAMinute(tries) <= 10)
    }

    @Test("when a try succeeds the others follow at once, one after the other")
    func success() {
        var pause = ReconnectPause()
        #expect(pause.ask(at: Self.start) == nil)
        #expect(pause.ask(at: Self.start) ?? .zero > .zero)
        pause.succeed()
        #expect(pause.ask(at: Self.start) == nil)
    }
}
