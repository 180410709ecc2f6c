import Postgres

/// What should have been done by now: the outbox is told within a second, and erasures end within minutes.
enum BacklogCheck {
    private static let outboxLimit = 60
    private static let erasureLimit = 3600

    static func run(_ connection: PostgresConnection) async -> [Finding] {
        [await outbox(connection), await erasures(connection)]
    }

    private static func outbox(_ connection: PostgresConnection) async -> Finding {
        let sql = """
            SELECT coalesce(sum(count), 0)::int8,
                   coalesce(extract(epoch FROM clock_timestamp() - min(oldest)), 0)::int8
            FROM dashboard.outbox
            """
        return await .asking(connection, "outbox", sql) { rows throws(PostgresError) in
            let (count, age) = (try rows.int8(0, 0), try rows.int8(0, 1))
            guard age > outboxLimit else { return .good("outbox", "\(count) waiting") }
            let advice = "is a worker running, and push.events there? its log says outbox.failed and why"
            return .wrong("outbox", "\(count) waiting, the oldest for \(age) s; \(advice)")
        }
    }

    private static func erasures(_ connection: PostgresConnection) async -> Finding {
        let sql = """
            SELECT count(*)::int8, coalesce(extract(epoch FROM clock_timestamp() - min(requested_at)), 0)::int8,
                   coalesce(string_agg(DISTINCT array_to_string(awaits, ', '), ', '), '')
            FROM dashboard.erasures WHERE completed_at IS NULL
            """
        return await .asking(connection, "erasures", sql) { rows throws(PostgresError) in
            let (count, age) = (try rows.int8(0, 0), try rows.int8(0, 1))
            guard age > erasureLimit else { return .good("erasures", "\(count) under way") }
            let queues = try rows.text(0, 2)
            let cause =
                queues.isEmpty ? "is a worker running?" : "their markers are still in \(queues); are these consumed?"
            return .wrong("erasures", "\(count) under way, the oldest for \(age) s; \(cause)")
        }
    }
}
