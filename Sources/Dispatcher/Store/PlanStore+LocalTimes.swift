import DispatchCore
import Postgres

/// Plans whose devices each have a time of their own: what a page adds for them, and the look between two steps.
extension PlanStore {
    /// When each zone's clocks show the time, and the hub's own, which stands for zones that nobody knows.
    static let clocks = """
        ,
        moments AS MATERIALIZED (
            SELECT z.name, o.local_at AT TIME ZONE z.name AS due_at
            FROM owned o
            CROSS JOIN dispatcher.time_zone z
        ),
        home AS MATERIALIZED (
            SELECT coalesce(m.name, 'UTC') AS name, coalesce(m.due_at, o.local_at AT TIME ZONE 'UTC') AS due_at
            FROM owned o
            JOIN dispatcher.hub h ON h.id = $5
            LEFT JOIN moments m ON m.name = h.time_zone
        )
        """

    /// Before the first step there is nothing to look for.
    static let inStep = " WHERE step_until IS NOT NULL"

    /// The devices that the step takes.
    static let isDue = """

                      AND CASE
                          WHEN i.time_zone IN (SELECT name FROM moments) THEN i.time_zone IN (
                              SELECT m.name FROM moments m WHERE m.due_at <= (SELECT step_until FROM owned))
                          ELSE (SELECT h.due_at <= o.step_until FROM home h CROSS JOIN owned o)
                      END
                      AND \(isUnplanned)
        """

    /// That no step before has taken the device, whatever its zone was then.
    ///
    /// It has no row, and no batch of first attempts holds it; such a batch of a planned notification is of that one alone.
    private static let isUnplanned = """
        NOT EXISTS (
            SELECT FROM dispatcher.delivery d WHERE d.notification_id = $1 AND d.installation_id = i.id)
        AND i.id NOT IN (
            SELECT unnest(b.installation_ids) FROM dispatcher.batch b
            WHERE b.attempts IS NULL AND $1 = ANY (b.notification_ids))
        """

    static let beginning = ", began_at = coalesce(began_at, now())"

    /// The zones that the step has begun.
    static let begun = """
        ,
        begun AS (
            UPDATE dispatcher.local_time SET begun_at = now()
            WHERE notification_id = $1 AND begun_at IS NULL AND due_at <= (SELECT step_until FROM owned)
              AND EXISTS (SELECT FROM page WHERE ids IS NOT NULL)
        )
        """

    /// Ends a step: looks which zones the devices are in that are left, and begins the next step if one of them is due.
    ///
    /// Answers whether there is such a step. Otherwise the plan waits for the next zone, or ends with nobody left. While it
    /// waits it is looked at whenever any zone is due: a device may have moved there.
    func beginStep(of plan: PlanWork) async throws -> Bool {
        let statement = stepStatement(plan)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            return rows.count == 1 ? try rows.bool(0, 0) : false
        }
    }

    private func stepStatement(_ plan: PlanWork) -> PostgresStatement {
        let filter = plan.audience.filter(firstParameter: 6)
        return PostgresStatement(
            """
            WITH owned AS (
                SELECT p.local_at, coalesce(p.step_until, '-infinity') AS step_until, n.expires_at,
                       n.cancelled_at IS NULL AS is_open
                FROM dispatcher.plan p
                JOIN dispatcher.notification n ON n.id = p.notification_id
                WHERE p.notification_id = $1 AND p.worker_id = $2 AND p.epoch = $3
                FOR UPDATE OF p
            )\(Self.clocks),
            found AS MATERIALIZED (
                SELECT coalesce(m.due_at, h.due_at) AS due_at, coalesce(m.name, h.name) AS zone, count(*) AS devices
                FROM dispatcher.installation i
                CROSS JOIN home h
                LEFT JOIN moments m ON m.name = i.time_zone
                WHERE (SELECT is_open FROM owned) AND i.hub_id = $5 AND ($4::int4 >> i.platform) & 1 = 1
                  AND \(AudienceLookup.isReachable) AND \(filter.text) AND \(Self.isUnplanned)
                GROUP BY 1, 2
            ),
            waiting AS MATERIALIZED (
                SELECT due_at, array_agg(zone ORDER BY zone) AS zones, sum(devices)::int4 AS devices
                FROM found GROUP BY 1
            ),
            \(Self.shown),
            \(Self.next)
            SELECT is_due FROM moved
            """,
            [
                .int8(plan.notification.rawValue), .int8(worker), .int4(plan.epoch), .int4(plan.platformMask),
                .int4(plan.hub),
            ] + filter.parameters,
            prepared: false
        )
    }

    /// What the dashboard shows of the zones that wait.
    private static let shown = """
        shown AS (
            INSERT INTO dispatcher.local_time AS l (notification_id, due_at, local_at, devices, zones)
            SELECT $1, w.due_at, o.local_at, w.devices, w.zones
            FROM waiting w
            CROSS JOIN owned o
            ON CONFLICT (notification_id, due_at) DO UPDATE SET devices = EXCLUDED.devices, zones = EXCLUDED.zones
            WHERE l.begun_at IS NULL
        ),
        hidden AS (
            DELETE FROM dispatcher.local_time l
            WHERE l.notification_id = $1 AND l.begun_at IS NULL AND (SELECT is_open FROM owned)
              AND NOT EXISTS (SELECT FROM waiting w WHERE w.due_at = l.due_at)
        )
        """

    /// After the end of the notification nobody's clock matters: all that are left are due, and end as expired.
    private static let next = """
        next AS MATERIALIZED (
            SELECT CASE WHEN o.expires_at <= now() THEN 'infinity' ELSE now() END AS step_until,
                   EXISTS (
                       SELECT FROM waiting w
                       WHERE w.due_at > o.step_until AND (w.due_at <= now() OR o.expires_at <= now())) AS is_due,
                   (SELECT CASE WHEN o.expires_at > now() THEN least(min(m.due_at), o.expires_at) ELSE min(m.due_at) END
                    FROM moments m WHERE m.due_at > now() HAVING count(*) > 0) AS wake_at,
                   EXISTS (SELECT FROM waiting) AS is_anyone_left
            FROM owned o
        ),
        ended AS (
            DELETE FROM dispatcher.plan p USING next n
            WHERE p.notification_id = $1 AND NOT n.is_due AND (n.wake_at IS NULL OR NOT n.is_anyone_left)
        ),
        moved AS (
            UPDATE dispatcher.plan p
            SET cursor = 0, step_until = CASE WHEN n.is_due THEN n.step_until END,
                worker_id = CASE WHEN n.is_due THEN p.worker_id END,
                due_at = CASE WHEN n.is_due THEN p.due_at ELSE n.wake_at END
            FROM next n
            WHERE p.notification_id = $1 AND (n.is_due OR n.wake_at IS NOT NULL AND n.is_anyone_left)
            RETURNING n.is_due
        )
        """
}
