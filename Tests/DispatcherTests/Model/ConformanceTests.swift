import Testing

@testable import Dispatcher

@Suite("The model's database and PostgreSQL", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(10)))
struct ConformanceTests {
    @Test("answer the same and hold the same, operation by operation", arguments: [UInt64(1), 2])
    func conformance(seed: UInt64) async throws {
        try await withDatabase(migrated: false) { database in
            var play = try await ConformancePlay.prepare(database, seed: seed)
            for _ in 0..<400 { try await play.step() }
            #expect(play.hasSeenEverything, "\(play.seen)")
        }
    }

    @Test(
        "do not where the model leaves out a rule",
        arguments: [BrokenRule.recordWithoutFence, .epochStandsStill, .claimFromOwner]
    )
    func drift(rule: BrokenRule) async throws {
        try await withDatabase(migrated: false) { database in
            var play = try await ConformancePlay.prepare(database, seed: 1, broken: [rule])
            await #expect(throws: ConformancePlay.Drift.self) {
                for _ in 0..<400 { try await play.step() }
            }
        }
    }
}
