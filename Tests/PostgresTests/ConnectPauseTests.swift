import Testing

@testable import Postgres

@Suite("ConnectPause")
struct ConnectPauseTests {
    private static let refused = PostgresError(.connection, operation: "connect")

    @Test("thirteen tries in the first minute, one at a time, and the pauses grow")
    func pauses() {
        var pause = ConnectPause()
        var tries: [UInt64] = []
        for now in stride(from: UInt64(0), to: 60_000_000_000, by: 10_000_000) where pause.refusal(at: now) == nil {
            tries.append(now)
            #expect(tries.count == 1 || pause.refusal(at: now) != nil)
            pause.fail(Self.refused, at: now, jitter: 1)
        }
        let gaps = zip(tries, tries.dropFirst()).map { ($1 - $0) / 100_000_000 }
        #expect(gaps.prefix(5) == [5, 10, 20, 40, 60])
        #expect(gaps.dropFirst(5).allSatisfy { $0 == 60 } && tries.count == 13)
    }

    @Test("connections that fail together are one failure, and a cancelled caller is none")
    func together() {
        var pause = ConnectPause()
        for _ in 0..<8 { #expect(pause.refusal(at: 0) == nil) }
        for _ in 0..<8 { pause.fail(Self.refused, at: 1, jitter: 1) }
        #expect(pause.refusal(at: 499_000_000)?.kind == .connection)
        #expect(pause.refusal(at: 501_000_000) == nil)
        pause.fail(PostgresError(.cancelled, operation: "connect"), at: 502_000_000, jitter: 1)
        #expect(pause.refusal(at: 503_000_000) == nil)
    }

    @Test("after a success everybody may connect")
    func success() {
        var pause = ConnectPause()
        pause.fail(Self.refused, at: 0, jitter: 1)
        #expect(pause.refusal(at: 600_000_000) == nil)
        pause.succeed()
        for _ in 0..<3 { #expect(pause.refusal(at: 600_000_000) == nil) }
    }
}
