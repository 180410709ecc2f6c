import DispatchCore
import Postgres

@testable import Dispatcher

extension Stage {
    /// Registers users `user-1`, `user-2`, … with so many devices each, all with the tag `crowd`.
    func registerUsers(_ users: Int, devices: Int) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, user_id, platform, push_channel, tags, permission)
            SELECT h.id, 'device-' || n, 'user-' || 1 + n % \(users), 1 + n % 2, 'ok-' || n, ARRAY['crowd'], 1
            FROM dispatcher.hub h, generate_series(1, \(users * devices)) n WHERE h.name = 'default'
            """
        )
    }

    /// The rows of inboxes as user and thread, in the order of users and notifications.
    func inboxes(_ job: Job) async throws -> [[String]] {
        try await database.texts(
            """
            SELECT x.user_id, x.thread, (x.read_at IS NOT NULL)::text FROM dispatcher.inbox x
            JOIN dispatcher.notification n ON n.id = x.notification_id WHERE n.job_id = $1::uuid ORDER BY 1, 2
            """,
            [.text(job.id)]
        )
    }

    /// How much of a thread a user has not read, as the dashboard tells; of all threads without one.
    func unread(_ user: String, thread: String? = nil) async throws -> Int {
        try await database.count(
            """
            SELECT coalesce(sum(unread), 0) FROM dashboard.unread
            WHERE hub = 'default' AND user_id = $1 AND ($2::text IS NULL OR thread = $2)
            """,
            [.text(user), .textOrNull(thread)]
        )
    }

    /// What the gateway was handed as the badge of each device.
    func badges(_ job: Job) throws -> [String: Int] {
        try witness.payloads(of: job.id).compactMapValues { payload in
            guard case .number(let number)? = payload["aps"]?["badge"] else { return nil }
            return number.int64.map { Int($0) }
        }
    }
}
