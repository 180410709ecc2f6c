import DispatchCore
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct BatchStoreTests {
    @Test("a batch finds all its devices, whatever order they stand in", arguments: [3, 40, 41, 500])
    func order(_ count: Int) async throws {
        try await withDatabase { database in
            try await database.execute(
                """
                INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel)
                SELECT id, 'device-' || n, 1, 'ok-' || n FROM dispatcher.hub, generate_series(1, \(count)) n
                WHERE name = 'default'
                """
            )
            // What a wave has found is in no order; a large audience is cut in the order of its keys.
            let order = count > LaneProfile.smallAudience ? "i.id" : "i.id % 2, i.id DESC"
            try await database.execute(
                """
                INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
                SELECT 1, now() + interval '1 hour', gen_random_uuid(), id, \(count), 1, '', '{}'
                FROM dispatcher.hub WHERE name = 'default'
                """
            )
            try await database.execute(
                """
                INSERT INTO dispatcher.batch (lane, notification_ids, audience_sizes, installation_ids)
                SELECT 1, ARRAY[1], ARRAY[\(count)], array_agg(i.id ORDER BY \(order)) FROM dispatcher.installation i
                """
            )
            let batch = try await database.count("SELECT max(id) FROM dispatcher.batch")
            let work = try await Self.store(database).claim(Int64(batch))
            let targets = try #require(work).parts.flatMap(\.targets)
            #expect(targets.count == count && targets.allSatisfy { $0.device != nil })
        }
    }

    private static func store(_ database: TestDatabase) async throws -> BatchStore {
        let worker = try await WorkerStore(pool: database.pool).register(host: "h", process: 1, version: "0")
        return BatchStore(pool: database.pool, worker: worker, hubs: HubDirectory(pool: database.pool))
    }
}
