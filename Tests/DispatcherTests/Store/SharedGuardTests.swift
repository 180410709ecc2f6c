import DispatchCore
import Testing

@testable import Dispatcher

@Suite("The guard across workers", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(4)))
struct SharedGuardTests {
    private static let gone = DeliveryOutcome.rejected(GatewayRejection(status: 410, reason: "Unregistered"))
    private static let unavailable = DeliveryOutcome.rejected(
        GatewayRejection(status: 503, reason: "ServiceUnavailable")
    )
    private static let key = ChannelKey(hub: 1, platform: .apns)

    /// What one worker has of channels, its own stores included.
    private struct Worker {
        let id: Int
        let watch = ChannelWatch()
        let keeper: ChannelKeeper

        init(_ id: Int, _ database: TestDatabase) {
            self.id = id
            keeper = ChannelKeeper(
                watch: watch,
                store: ChannelStore(pool: database.pool, worker: Int64(id), told: .usual),
                clock: DatabaseClock(),
                log: Log(minimum: .error)
            )
        }

        /// Counts so many answers to first attempts.
        func observe(_ outcome: DeliveryOutcome, count: Int, at now: Timestamp) throws {
            var random = SystemDice()
            let result = DeliveryResult.decide(
                outcome: outcome,
                platform: .apns,
                attempt: 1,
                wasAmbiguous: false,
                policy: RetryPolicy(),
                now: now,
                expiresAt: nil,
                guarantee: .atLeastOnce,
                using: &random
            )
            watch.observe(try WorkExample.batch([count]), results: Array(repeating: result, count: count), now: now)
        }
    }

    private static func now(_ database: TestDatabase) async throws -> Timestamp {
        let count = "SELECT (extract(epoch FROM clock_timestamp()) * 1000000)::int8"
        return Timestamp(microseconds: Int64(try await database.count(count)))
    }

    private static func register(_ database: TestDatabase, _ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel)
            SELECT 1, 'i' || n, 1, 't' || n FROM generate_series(1, \(count)) n
            """
        )
    }

    /// The worker's record retires its share of the devices, and it counts the answers.
    private static func lose(_ worker: Worker, of count: Int, _ database: TestDatabase, at now: Timestamp) async throws
    {
        try await database.execute(
            """
            UPDATE dispatcher.installation SET retired_at = clock_timestamp(), retire_reason = 'Unregistered'
            WHERE installation_id IN
                (SELECT 'i' || n FROM generate_series(\((worker.id - 1) * count + 1), \(worker.id * count)) n)
            """
        )
        try worker.observe(gone, count: count, at: now)
    }

    private static func retired(_ database: TestDatabase) async throws -> Int {
        try await database.count("SELECT count(*) FROM dispatcher.installation WHERE retired_at IS NOT NULL")
    }

    @Test("200 dead devices over eight workers stop the channel for all, and every worker's devices come back")
    func spreadOut() async throws {
        try await withDatabase { database in
            try await Self.register(database, 200)
            let workers = (1...8).map { Worker($0, database) }
            let start = try await Self.now(database)
            for worker in workers { try await Self.lose(worker, of: 25, database, at: start) }
            for worker in workers { try await worker.keeper.synchronise(at: start) }
            #expect(workers.allSatisfy { !$0.watch.isAnyPaused })
            #expect(try await Self.retired(database) == 200)
            for worker in workers { try await worker.keeper.synchronise(at: start + .seconds(4)) }
            #expect(workers.allSatisfy { $0.watch.pauses.map(\.cause) == [.dead] })
            #expect(try await Self.retired(database) == 0)
            let shown = try await database.texts("SELECT cause, reason, retired_restored::text FROM dashboard.channels")
            #expect(shown == [["dead", "Unregistered", "200"]])
            let told = try await database.texts("SELECT convert_from(body, 'UTF8') FROM dispatcher.outbox")
            #expect(told.count == 1 && told[0][0].contains(#""restored":200"#), "\(told)")
        }
    }

    @Test("what workers told outlives them: those that come after count it")
    func restart() async throws {
        try await withDatabase { database in
            try await Self.register(database, 60)
            let start = try await Self.now(database)
            for worker in (1...2).map({ Worker($0, database) }) {
                try await Self.lose(worker, of: 29, database, at: start)
                try await worker.keeper.synchronise(at: start)
            }
            let heir = Worker(3, database)
            try heir.observe(Self.gone, count: 2, at: start + .seconds(1))
            try await heir.keeper.synchronise(at: start + .seconds(5))
            #expect(heir.watch.pauses.map(\.cause) == [.dead])
            #expect(try await Self.retired(database) == 0)
        }
    }

    @Test("pushes that only one worker sees accepted keep the channel open, and nobody is restored")
    func successElsewhere() async throws {
        try await withDatabase { database in
            try await Self.register(database, 200)
            let workers = (1...8).map { Worker($0, database) }
            let lucky = Worker(9, database)
            let start = try await Self.now(database)
            for worker in workers { try await Self.lose(worker, of: 25, database, at: start) }
            try lucky.observe(.accepted(gatewayID: nil), count: 1_000, at: start)
            // It sees no trouble of its own, and has nothing to tell before it has heard of some.
            for step in 0..<6 {
                for worker in [lucky] + workers { try await worker.keeper.synchronise(at: start + .seconds(step)) }
            }
            #expect(workers.allSatisfy { !$0.watch.isAnyPaused })
            #expect(try await Self.retired(database) == 200)
            #expect(
                try await database.texts(
                    """
                    SELECT sum(accepted)::text, (bool_or(is_alarm) FILTER (WHERE worker_id = 9))::text
                    FROM dispatcher.channel_answers
                    """
                )
                    == [["1000", "false"]]
            )
        }
    }

    @Test("a storm of which each of eight workers sees five answers opens the circuit")
    func storm() async throws {
        try await withDatabase { database in
            let workers = (1...8).map { Worker($0, database) }
            let start = try await Self.now(database)
            for worker in workers { try worker.observe(Self.unavailable, count: 5, at: start) }
            for worker in workers { try await worker.keeper.synchronise(at: start + .seconds(1)) }
            // The first alarm was told by the database's own clock.
            let alarm = try await database.count(
                """
                SELECT extract(epoch FROM min(told_at) - to_timestamp(\(start.microseconds) / 1e6)) * 1000000
                FROM dispatcher.channel_answers
                """
            )
            let heard = start + .microseconds(alarm) + .seconds(2)
            for worker in workers { try await worker.keeper.synchronise(at: heard) }
            #expect(
                try await database.texts("SELECT cause, state FROM dashboard.channels") == [["unavailable", "open"]]
            )
            for worker in workers { try await worker.keeper.synchronise(at: heard) }
            #expect(workers.allSatisfy { $0.watch.pauses.map(\.cause) == [.unavailable] })
        }
    }

    @Test("what was told before a stop counts no more when the channel is resumed, and old rows go")
    func resumed() async throws {
        try await withDatabase { database in
            let workers = (1...2).map { Worker($0, database) }
            let start = try await Self.now(database)
            for worker in workers { try worker.observe(Self.gone, count: 49, at: start) }
            for worker in workers { try await worker.keeper.synchronise(at: start) }
            for worker in workers { try await worker.keeper.synchronise(at: start + .seconds(4)) }
            let store = workers[0].keeper.store
            #expect(try await store.resume("default", Self.key, isTrusted: false))
            for worker in workers { try await worker.keeper.synchronise(at: start + .seconds(5)) }
            #expect(workers.allSatisfy { !$0.watch.isAnyPaused })
            let later = start + .seconds(70)
            try workers[0].observe(Self.gone, count: 1, at: later)
            try await workers[0].keeper.synchronise(at: later)
            #expect(try await database.count("SELECT sum(dead) FROM dispatcher.channel_answers") == 1)
        }
    }

    @Test("healthy channels leave no trace, however many of their devices die in the usual way")
    func healthy() async throws {
        try await withDatabase { database in
            let worker = Worker(1, database)
            let start = try await Self.now(database)
            try worker.observe(.accepted(gatewayID: nil), count: 950, at: start)
            try worker.observe(Self.gone, count: 40, at: start)
            try await worker.keeper.synchronise(at: start)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.channel_answers") == 0)
        }
    }
}
