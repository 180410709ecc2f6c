import Testing

@testable import Postgres

@Suite("ConnectPause")
struct ConnectPauseTests {
    private static let refused = PostgresError(.connection, operation: "connect")
    private static let second: UInt64 = 1_000_000_000
    private static let minute = 60 * second

    /// The moments at which somebody tried, by asking a hundred times a second; `attempt` answers how the try went.
    private static func tries(
        until end: UInt64,
        jitter: () -> Double,
        attempt: (UInt64) -> PostgresError? = { _ in refused }
    ) -> [UInt64] {
        var pause = ConnectPause()
        var failed: [UInt64] = []
        for now in stride(from: UInt64(0), to: end, by: 10_000_000) {
            // Several callers want a connection at that moment, as after the loss of them all.
            for _ in 0..<3 {
                guard case .go = pause.ask(at: now) else { continue }
                if let error = attempt(now) {
                    failed.append(now)
                    pause.fail(error, jitter: jitter())
                } else {
                    pause.succeed()
                }
            }
        }
        return failed
    }

    private static func mostInAMinute(_ tries: [UInt64]) -> Int {
        tries.map { first in tries.count { $0 >= first && $0 < first + minute } }.max() ?? 0
    }

    @Test("the pauses grow up to eight seconds")
    func pauses() {
        let tries = Self.tries(until: Self.minute) { 1 }
        let gaps = zip(tries, tries.dropFirst()).map { ($1 - $0) / 100_000_000 }
        #expect(gaps.prefix(4) == [16, 32, 64, 80])
        #expect(gaps.dropFirst(4).allSatisfy { $0 == 80 })
    }

    @Test(
        "at most ten tries in any minute, in the first and in later ones, and never ten seconds without one",
        arguments: [0.9, 0.93, 0.97, 1.0]
    )
    func rate(jitter: Double) {
        let tries = Self.tries(until: 10 * Self.minute) { jitter }
        #expect(Self.mostInAMinute(tries) <= 10)
        #expect(zip(tries, tries.dropFirst()).allSatisfy { $1 - $0 <= 10 * Self.second })
    }

    @Test("nor more when the server takes a connection now and then", arguments: 1...20)
    func flapping(period: UInt64) {
        let tries = Self.tries(until: 10 * Self.minute, jitter: { 0.9 }) { now in
            now / (500_000_000 * period) % 3 == 0 ? nil : Self.refused
        }
        #expect(Self.mostInAMinute(tries) <= 10)
    }

    @Test("a try that hangs is not followed by another pause of the same length")
    func hanging() {
        var pause = ConnectPause()
        #expect(pause.ask(at: 0).word == "go")
        pause.fail(Self.refused, jitter: 1)
        #expect(pause.ask(at: Self.second).word == "refused")
        #expect(pause.ask(at: 5 * Self.second).word == "go")
    }

    @Test("one tries and the others wait for their turn; when it fails they are told so at once")
    func turns() {
        var pause = ConnectPause()
        #expect([0, 0].map { pause.ask(at: $0).word } == ["go", "wait"])
        pause.succeed()
        #expect([1, 1].map { pause.ask(at: $0).word } == ["go", "wait"])
        pause.fail(Self.refused, jitter: 1)
        #expect(pause.ask(at: 2).word == "refused")
        #expect([2, 2].map { pause.ask(at: $0 * Self.second).word } == ["go", "refused"])
    }

    @Test("a caller that was cancelled says nothing of the server, but its try counts while it is away")
    func cancelled() {
        let cancelled = PostgresError(.cancelled, operation: "connect")
        var pause = ConnectPause()
        #expect(pause.ask(at: 0).word == "go")
        pause.fail(cancelled, jitter: 1)
        #expect(pause.ask(at: 1).word == "go")
        let tries = Self.tries(until: 5 * Self.minute, jitter: { 0.9 }) { $0 == 0 ? Self.refused : cancelled }
        #expect(tries.count > 1 && Self.mostInAMinute(tries) <= 10)
    }
}

extension ConnectPause.Answer {
    fileprivate var word: String {
        switch self {
        case .go: "go"
        case .wait: "wait"
        case .refused: "refused"
        }
    }
}
