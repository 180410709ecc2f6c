import DispatchCore
import Postgres

extension WaveStore {
    /// Puts the wave's notifications into the inboxes of their users; nil when none of them is kept.
    ///
    /// Users are looked up by their devices here rather than read with every audience: most notifications are not kept.
    static func inbox(_ accepted: [WaveDraft.Accepted]) -> PostgresStatement? {
        var notifications: [Int64] = []
        var devices: [Int64] = []
        var threads: [String?] = []
        for item in accepted {
            guard let inbox = item.inbox, !item.isPlanned else { continue }
            for target in item.targets {
                notifications.append(item.id.rawValue)
                devices.append(target.installation.rawValue)
                threads.append(inbox.thread)
            }
        }
        guard !notifications.isEmpty else { return nil }
        return PostgresStatement(
            """
            INSERT INTO dispatcher.inbox (hub_id, user_id, notification_id, thread)
            SELECT DISTINCT i.hub_id, i.user_id, t.notification_id, t.thread
            FROM unnest($1::int8[], $2::int8[], $3::text[]) AS t(notification_id, installation_id, thread)
            CROSS JOIN LATERAL (
                SELECT hub_id, user_id FROM dispatcher.installation
                WHERE id = t.installation_id AND user_id IS NOT NULL
                LIMIT 1
            ) i
            ORDER BY 1, 2, 3
            """,
            [.int8s(notifications), .int8s(devices), .textsOrNull(threads)]
        )
    }
}
