import DispatchCore
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct OutboxStoreTests {
    private static func fill(_ database: TestDatabase, jobs count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.outbox (notification_id, job_id, hub_id, lane, body)
            SELECT n, gen_random_uuid(), 1, 1, '' FROM generate_series(1, \(count)) n
            """
        )
    }

    private static func enter(_ database: TestDatabase) async throws -> OutboxStore {
        let worker = try await WorkerStore(pool: database.pool).register(host: "h", process: 1, version: "0")
        // Nobody renews it here, and a loaded machine is slow.
        try await database.execute(
            "UPDATE dispatcher.worker SET lease_until = now() + interval '1 hour' WHERE id = \(worker)"
        )
        return OutboxStore(pool: database.pool, worker: worker)
    }

    @Test("one worker has the outbox while it lives; another has it when the lease has ended, or the first gives it up")
    func turns() async throws {
        try await withDatabase { database in
            let first = try await Self.enter(database)
            let second = try await Self.enter(database)
            #expect(try await !first.isWaiting(.jobs))
            try await Self.fill(database, jobs: 5)
            #expect(try await first.isWaiting(.jobs))
            #expect(try await first.oldest(.jobs, 3).map(\.id) == [1, 2, 3])
            #expect(try await second.oldest(.jobs, 3).isEmpty)
            try await database.execute("UPDATE dispatcher.worker SET lease_until = now() WHERE id = \(first.worker)")
            #expect(try await second.oldest(.jobs, 3).map(\.id) == [1, 2, 3])
            // It was frozen, and knows nothing of it: what it takes out is what it has published.
            try await first.remove([1, 2])
            #expect(try await first.oldest(.jobs, 9).isEmpty)
            #expect(try await second.oldest(.jobs, 9).map(\.id) == [3, 4, 5])
            try await second.giveUp()
            try await WorkerStore(pool: database.pool).leave(second.worker)
            let third = try await Self.enter(database)
            #expect(try await third.oldest(.jobs, 9).map(\.id) == [3, 4, 5])
        }
    }

    @Test("of workers that ask at once exactly one has it")
    func together() async throws {
        try await withDatabase { database in
            try await Self.fill(database, jobs: 1)
            var stores: [OutboxStore] = []
            for _ in 0..<4 { stores.append(try await Self.enter(database)) }
            for _ in 0..<5 {
                try await database.execute("UPDATE dispatcher.relay SET worker_id = NULL")
                let winners = try await withThrowingTaskGroup(of: Int.self) { group in
                    for store in stores { group.addTask { try await store.oldest(.jobs, 1).count } }
                    return try await group.reduce(0, +)
                }
                #expect(winners == 1)
            }
        }
    }

    @Test("events and jobs have turns of their own, however many of the other wait")
    func kinds() async throws {
        try await withDatabase { database in
            let store = try await Self.enter(database)
            try await database.execute(
                """
                INSERT INTO dispatcher.outbox (notification_id, hub_id, event, installation_id, device)
                SELECT 77, 1, 13, 5, 'phone' FROM generate_series(1, 600);
                INSERT INTO dispatcher.outbox (hub_id, event, body) VALUES (0, 30, '{}');
                """
            )
            #expect(try await store.isWaiting(.events))
            #expect(try await !store.isWaiting(.jobs))
            try await Self.fill(database, jobs: 2)
            #expect(try await store.oldest(.jobs, 500).map(\.id) == [602, 603])
            #expect(try await store.oldest(.events, 700).map(\.id) == Array(1...601))
            let kinds = try await database.texts("SELECT kind, count::text FROM dashboard.outbox ORDER BY 1")
            #expect(kinds == [["channel.stopped", "1"], ["failed", "600"], ["job", "2"]])
        }
    }

    @Test("an event of a kind that only a newer version knows is left for a worker that does")
    func unknownKind() async throws {
        try await withDatabase { database in
            let store = try await Self.enter(database)
            try await database.execute("INSERT INTO dispatcher.outbox (hub_id, event, body) VALUES (0, 99, '{}')")
            #expect(try await !store.isWaiting(.events))
            #expect(try await store.oldest(.events, 9).isEmpty)
            try await database.execute("INSERT INTO dispatcher.outbox (hub_id, event, body) VALUES (0, 30, '{}')")
            #expect(try await store.oldest(.events, 9).map(\.id) == [2])
        }
    }

    @Test("an event of what has left with its day is taken out untold")
    func gone() async throws {
        try await withDatabase { database in
            try await database.execute(
                """
                INSERT INTO dispatcher.outbox (notification_id, hub_id, event, installation_id, device)
                VALUES (77, 1, 13, 5, 'phone')
                """
            )
            let entries = try await Self.enter(database).oldest(.events, 1)
            #expect(entries.count == 1)
            guard case .gone? = entries.first?.content else {
                Issue.record("there is no such notification")
                return
            }
        }
    }
}
