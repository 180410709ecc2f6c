import DispatchCore
import Postgres

/// What clocks show, as PostgreSQL's zone data has it: nothing else decides about time zones.
struct LocalTimeStore: Sendable {
    let pool: PostgresPool

    /// From the first to the last instant at which the clocks that are meant show the time; nil for an unknown zone.
    func moments(of local: LocalSchedule) async throws -> ClosedRange<Timestamp>? {
        let statement = PostgresStatement(
            "SELECT first_at, last_at FROM dispatcher.local_moments($1::timestamptz AT TIME ZONE 'UTC', $2)",
            [.timestamptz(microsecondsSinceUnixEpoch: local.time.microseconds), .textOrNull(local.zone.name)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            guard let first = try rows.timestampOrNull(0, 0), let last = try rows.timestampOrNull(0, 1) else {
                return nil
            }
            return Timestamp(microseconds: first)...Timestamp(microseconds: last)
        }
    }

    /// The same for all that a wave asks for, in one round trip; unknown zones are left out.
    func moments(of locals: Set<LocalSchedule>) async throws -> [LocalSchedule: ClosedRange<Timestamp>] {
        guard !locals.isEmpty else { return [:] }
        let locals = Array(locals)
        let statement = PostgresStatement(
            """
            SELECT l.place, m.first_at, m.last_at
            FROM unnest($1::timestamptz[], $2::text[]) WITH ORDINALITY AS l(time, zone, place)
            CROSS JOIN LATERAL (
                SELECT min(clock.at), max(clock.at)
                FROM (
                    SELECT l.time AT TIME ZONE 'UTC' AT TIME ZONE z.name FROM dispatcher.time_zone z WHERE z.name = l.zone
                    UNION ALL
                    SELECT l.time AT TIME ZONE 'UTC' AT TIME ZONE z.name FROM dispatcher.time_zone z WHERE l.zone IS NULL
                ) AS clock(at)
            ) AS m(first_at, last_at)
            WHERE m.first_at IS NOT NULL
            """,
            [.timestamptzs(locals.map(\.time.microseconds)), .textsOrNull(locals.map(\.zone.name))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var moments: [LocalSchedule: ClosedRange<Timestamp>] = [:]
            for row in 0..<rows.count {
                let first = Timestamp(microseconds: try rows.timestamp(row, 1))
                let last = Timestamp(microseconds: try rows.timestamp(row, 2))
                moments[locals[Int(try rows.int8(row, 0)) - 1]] = first...last
            }
            return moments
        }
    }

    /// The job with the instants that its local time means; nil for an unknown zone.
    func resolve(_ job: SendJob) async throws -> SendJob? {
        guard let local = job.options.local else { return job }
        return try await moments(of: local).map { job.resolved($0) }
    }

    /// When the devices' own clocks show the time, the hub's standing for those without a known zone.
    func moments(of local: Timestamp, on devices: [InstallationKey]) async throws -> [InstallationKey: Timestamp] {
        let statement = PostgresStatement(
            """
            SELECT i.id, $2::timestamptz AT TIME ZONE 'UTC' AT TIME ZONE coalesce(z.name, home.name, 'UTC')
            FROM dispatcher.installation i
            JOIN dispatcher.hub h ON h.id = i.hub_id
            LEFT JOIN dispatcher.time_zone z ON z.name = i.time_zone
            LEFT JOIN dispatcher.time_zone home ON home.name = h.time_zone
            WHERE i.id = ANY ($1::int8[])
            """,
            [.int8s(devices.map(\.rawValue)), .timestamptz(microsecondsSinceUnixEpoch: local.microseconds)]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var moments: [InstallationKey: Timestamp] = [:]
            moments.reserveCapacity(rows.count)
            for row in 0..<rows.count {
                moments[InstallationKey(rawValue: try rows.int8(row, 0))] = Timestamp(
                    microseconds: try rows.timestamp(row, 1)
                )
            }
            return moments
        }
    }

    /// Takes over the names of zones that PostgreSQL has learnt.
    func learnZones() async throws {
        try await pool.withSession { session throws(PostgresError) in
            _ = try session.execute(PostgresStatement("SELECT dispatcher.learn_time_zones()"))
        }
    }
}

extension LocalSchedule.Zone {
    /// The name of the zone; nil where each device's own is meant.
    fileprivate var name: String? { if case .named(let name) = self { name } else { nil } }
}
