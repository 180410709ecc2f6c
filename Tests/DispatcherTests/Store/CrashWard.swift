import Postgres
import Testing

@testable import Dispatcher

/// A database with batches, and workers that end with them in hand.
struct CrashWard {
    let database: TestDatabase

    /// A number that the devices' keys begin after; the notifications are those that a test names.
    private static let devices = 600

    static func with<R>(_ body: (CrashWard) async throws -> R) async throws -> R {
        try await withDatabase { database in
            try await database.execute(
                """
                INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel)
                SELECT id, 'device-' || n, 1, 'ok-' || n FROM dispatcher.hub, generate_series(1, \(devices)) n
                WHERE name = 'default' ORDER BY n
                """
            )
            return try await body(CrashWard(database: database))
        }
    }

    func addNotification(_ id: Int64) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
            SELECT \(id), now() + interval '1 hour', gen_random_uuid(), h.id, 1, 1, '',
                   '{"to":{"broadcast":true},"content":{"title":"x"}}'
            FROM dispatcher.hub h WHERE name = 'default'
            """
        )
    }

    /// A batch of these notifications, each with so many of the devices from there on.
    func addBatch(_ parts: [(notification: Int64, size: Int)], from first: Int = 1, attempt: Int? = nil) async throws
        -> Int64
    {
        let count = parts.reduce(0) { $0 + $1.size }
        let attempts = attempt.map { "array_fill(\($0)::int2, ARRAY[\(count)])" } ?? "NULL"
        try await database.execute(
            """
            INSERT INTO dispatcher.batch (lane, published_at, notification_ids, audience_sizes, installation_ids, attempts)
            SELECT 1, now(), ARRAY[\(parts.map { "\($0.notification)" }.joined(separator: ","))]::int8[],
                   ARRAY[\(parts.map { "\($0.size)" }.joined(separator: ","))],
                   (SELECT array_agg(id ORDER BY id) FROM (
                       SELECT i.id FROM dispatcher.installation i ORDER BY i.id OFFSET \(first - 1) LIMIT \(count)) d),
                   \(attempts)
            """
        )
        return Int64(try await database.count("SELECT max(id) FROM dispatcher.batch"))
    }

    func addWorker() async throws -> Int64 {
        try await WorkerStore(pool: database.pool).register(host: "h", process: 1, version: "0")
    }

    func batches(_ worker: Int64) -> BatchStore {
        BatchStore(pool: database.pool, worker: worker, hubs: HubDirectory(pool: database.pool))
    }

    func schedule(_ worker: Int64 = 0) -> ScheduleStore { ScheduleStore(pool: database.pool, worker: worker) }
    func suspects(_ worker: Int64) -> CrashSuspectStore { CrashSuspectStore(pool: database.pool, worker: worker) }

    /// Ends a worker as a crash does, and rescues what it had.
    @discardableResult
    func crash(_ worker: Int64) async throws -> Rescue {
        try await database.execute(
            "UPDATE dispatcher.worker SET lease_until = now() - interval '1 second' WHERE id = \(worker)"
        )
        return try await schedule().rescue()
    }

    /// A worker begins a batch like any other, and crashes.
    func crash(with batch: Int64) async throws -> Rescue {
        let worker = try await addWorker()
        #expect(try await batches(worker).claim(batch) != nil)
        return try await crash(worker)
    }

    /// A worker tries the next suspect alone, and crashes; answers the batch that it was.
    func crashAlone() async throws -> (batch: Int64, verdicts: [CrashVerdict]) {
        let worker = try await addWorker()
        let batch = try #require(try await suspects(worker).reserve())
        #expect(try await suspects(worker).beginTrial(batch))
        return (batch, try await crash(worker).findings.map(\.verdict))
    }

    /// A worker tries the next suspect alone, and it comes through.
    func comeThrough() async throws -> Int64 {
        let worker = try await addWorker()
        let batch = try #require(try await suspects(worker).reserve())
        #expect(try await suspects(worker).beginTrial(batch))
        try await database.execute("DELETE FROM dispatcher.batch WHERE id = \(batch)")
        return batch
    }

    /// Notifications, sizes, the first and the last device and attempts of each batch.
    func shapes() async throws -> [[String]] {
        try await database.texts(
            """
            SELECT array_to_string(notification_ids, ','), array_to_string(audience_sizes, ','),
                   (SELECT string_agg(i.installation_id, ' ' ORDER BY u.place)
                    FROM unnest(ARRAY[installation_ids[1], installation_ids[cardinality(installation_ids)]])
                        WITH ORDINALITY AS u(id, place)
                    JOIN dispatcher.installation i USING (id)),
                   coalesce(attempts[1]::text, ''), suspicion::text
            FROM dispatcher.batch ORDER BY id
            """
        )
    }
}
