import Postgres
import Synchronization

/// Asks the database every two seconds whether it answers, over a connection that nobody else waits for.
final class DatabaseWatch: Sendable {
    /// What the database says of the work that waits, for all workers.
    struct Backlog: Sendable {
        let outboxCount: Int
        let outboxAge: Double
        let openDeadLetters: Int
        let retryLag: Double
    }

    private struct State {
        var upSince: ContinuousClock.Instant?
        var isAsked = false
        var schema: Int?
        var backlog: (read: ContinuousClock.Instant, value: Backlog)?
    }

    private let pool: PostgresPool
    private let state = Mutex(State())

    private static let interval = Duration.seconds(2)
    private static let backlogAge = Duration.seconds(5)

    /// Asks as `role` where one is named.
    init(_ configuration: Configuration, role: String? = nil) throws {
        var database = try configuration.database(applicationName: "dispatcher health")
        if let role { database.sessionSettings = ["role": role] }
        database.statementTimeout = .seconds(2)
        database.callDeadline = .seconds(3)
        database.connectDeadline = .seconds(3)
        pool = PostgresPool(configuration: database, size: 1, gate: configuration.databaseGate)
    }

    /// Runs until its task is cancelled.
    func run() async {
        while !Task.isCancelled {
            await ask()
            try? await Task.sleep(for: Self.interval)
        }
    }

    func close() async { await pool.close() }

    /// Asks once, within three seconds.
    func ask() async {
        let schema = try? await SchemaVersion.applied(pool)
        guard !Task.isCancelled else { return }
        state.withLock { state in
            state.isAsked = true
            state.upSince = schema == nil ? nil : state.upSince ?? .now
            state.schema = schema
        }
    }

    /// Since when it has answered without a gap; nil while it does not.
    var upSince: ContinuousClock.Instant? { state.withLock { $0.upSince } }

    /// The last migration that it has; nil while it does not answer.
    var schema: Int? { state.withLock { $0.schema } }

    /// Why there is no work without it; nil while it answers.
    var obstacle: String? {
        state.withLock { state in
            if state.upSince != nil { return nil }
            return state.isAsked ? "the database does not answer" : "the database was not asked yet"
        }
    }

    /// What waits, at most five seconds old; nil while the database does not say.
    func backlog() async -> Backlog? {
        let known = state.withLock { $0.backlog }
        if let known, .now - known.read < Self.backlogAge { return known.value }
        guard upSince != nil, let read = try? await read() else { return nil }
        state.withLock { $0.backlog = (.now, read) }
        return read
    }

    /// Each count ends at a limit, so that a scrape costs the same however much waits.
    private func read() async throws -> Backlog {
        let statement = PostgresStatement(
            """
            SELECT (SELECT count(*) FROM (SELECT FROM dispatcher.outbox LIMIT 10000) o),
                   coalesce(extract(epoch FROM clock_timestamp()
                       - (SELECT created_at FROM dispatcher.outbox ORDER BY id LIMIT 1)), 0)::float8,
                   (SELECT count(*) FROM (SELECT FROM dispatcher.dead_letter WHERE is_open LIMIT 10000) d),
                   coalesce(extract(epoch FROM clock_timestamp() - (
                       SELECT min(r.due_at)
                       FROM (VALUES (0::int2), (1::int2), (2::int2)) AS l(lane)
                       CROSS JOIN LATERAL (
                           (SELECT due_at FROM dispatcher.retry
                            WHERE lane = l.lane AND parked_at IS NULL ORDER BY due_at LIMIT 1)
                           UNION ALL
                           (SELECT due_at FROM dispatcher.retry
                            WHERE lane = l.lane AND parked_at IS NOT NULL ORDER BY due_at LIMIT 1)) r)), 0)::float8
            """
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            return Backlog(
                outboxCount: Int(try rows.int8(0, 0)),
                outboxAge: max(0, try rows.float8(0, 1)),
                openDeadLetters: Int(try rows.int8(0, 2)),
                retryLag: max(0, try rows.float8(0, 3))
            )
        }
    }
}
