import AMQP
import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

/// A database of its own, empty queues, a witness and a publisher: what an integration test plays on.
struct Stage: Sendable {
    let database: TestDatabase
    let witness: Witness
    let publisher: AMQPPublisher

    static func with<R>(_ body: (Stage) async throws -> R) async throws -> R {
        try await Servers.purgeQueues()
        let publisher = AMQPPublisher(endpoint: try Servers.endpoint(), connectionName: "DispatcherTests") { _ in }
        publisher.start()
        let witness = Witness()
        defer { witness.remove() }
        return try await withDatabase { database in
            let result: Result<R, any Error>
            do {
                result = .success(try await body(Stage(database: database, witness: witness, publisher: publisher)))
            } catch {
                result = .failure(error)
            }
            await publisher.stop()
            return try result.get()
        }
    }

    /// What a worker of this stage finds in its environment.
    func environment(_ changes: [String: String] = [:]) -> [String: String] {
        let usual = [
            "DISPATCHER_AMQP_URL": Servers.brokerURL ?? "", "DISPATCHER_DATABASE_URL": database.url,
            "DISPATCHER_SIMULATED_LOG": witness.path, "DISPATCHER_MIGRATIONS": TestDatabase.migrations,
            "DISPATCHER_LOG_LEVEL": "error",
        ]
        return usual.merging(changes) { $1 }
    }

    func register(_ devices: [Device]) async throws {
        let hub = try await #require(HubDirectory(pool: database.pool).hub(named: "default"))
        let rows = try devices.map {
            InstallationRow(hub: hub.id, installation: try Installation(decoding: Array($0.json.utf8)))
        }
        try await InstallationStore(pool: database.pool).upsert(rows)
    }

    /// Registers `crowd-1` to `crowd-N`, all with the tag `crowd`.
    func registerCrowd(_ count: Int) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
            SELECT h.id, 'crowd-' || n, 1 + n % 2, 'ok-crowd-' || n, ARRAY['crowd']
            FROM dispatcher.hub h, generate_series(1, \(count)) n WHERE h.name = 'default'
            """
        )
    }

    func publish(_ jobs: [Job], lane: Lane = .normal) async throws {
        let results = await publisher.publish(jobs.map { $0.message(lane) }, deadline: .seconds(30))
        try #require(results.allSatisfy { $0 == .confirmed })
    }

    func deliveries(_ job: Job) async throws -> [DeliveryFacts] {
        try await DeliveryFacts.all(of: job.id, in: database)
    }

    func status(_ job: Job) async throws -> NotificationStatus? {
        guard let id = UUIDValue(job.id) else { return nil }
        return try await StatusStore(pool: database.pool).status(of: id)
    }

    /// The notification's status once the view calls it finished.
    func finished(_ job: Job, within limit: Duration = .seconds(30)) async throws -> NotificationStatus {
        let isFinished = await eventually(within: limit) { try await status(job)?.isFinished == true }
        let found = try await status(job)
        if !isFinished { Issue.record("job \(job.id): \(found?.tally ?? [:]), open: \(try await openWork())") }
        try #require(isFinished)
        return try #require(found)
    }

    /// What the database still means to do, for the message of a failed expectation.
    private func openWork() async throws -> [[String]] {
        try await database.texts(
            """
            SELECT 'batch', lane, state, worker_id::text, 'epoch ' || epoch, deliveries::text, b.created_at::text
            FROM dashboard.batches b
            UNION ALL
            SELECT 'plan', notification_id::text, 'cursor ' || cursor, worker_id::text, 'epoch ' || epoch, '', due_at::text
            FROM dispatcher.plan
            UNION ALL
            SELECT 'retry', notification_id::text, 'attempt ' || attempt, '', '', '', due_at::text FROM dispatcher.retry
            UNION ALL
            SELECT 'worker', id::text, state, '', '', '', lease_until::text FROM dashboard.workers
            """
        )
    }

    /// Expects all queues of work and the table of batches to be empty soon.
    func expectQuiet(within limit: Duration = .seconds(20)) async throws {
        let hasEnded = await eventually(within: limit) { try await isQuiet() }
        #expect(hasEnded)
    }

    private func isQuiet() async throws -> Bool {
        let topology = try Servers.topology()
        for queue in Servers.queues where !queue.hasPrefix("push.dead") {
            guard try await topology.messageCount(queue) == 0 else { return false }
        }
        return try await database.count("SELECT count(*) FROM dispatcher.batch") == 0
    }
}

extension NotificationStatus {
    /// The counts that are not 0, by name.
    var tally: [String: Int] {
        Dictionary(uniqueKeysWithValues: counts.filter { $0.value != 0 }.map { ($0.name, $0.value) })
    }
}
