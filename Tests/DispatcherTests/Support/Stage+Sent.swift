import Testing

@testable import Dispatcher

extension Stage {
    /// Writes a notification that these installations of a hub have been sent, as if a worker had; answers its number.
    @discardableResult
    func sent(_ job: Job, to installations: [String], hub: String = "default") async throws -> Int {
        let list = installations.map { "'\($0)'" }.joined(separator: ",")
        let number = try await database.count(
            "SELECT coalesce(max(id), dispatcher.first_notification_id(current_date)) + 1 FROM dispatcher.notification"
        )
        try await database.execute(
            """
            INSERT INTO dispatcher.notification (id, created_at, expires_at, job_id, hub_id, audience, lane, target, body)
            SELECT \(number), now() - interval '1 hour', now() + interval '1 hour', '\(job.id)', h.id,
                   \(installations.count), 1, '', convert_to('{}', 'UTF8')
            FROM dispatcher.hub h WHERE h.name = '\(hub)';
            INSERT INTO dispatcher.delivery
                (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
            SELECT \(number), i.id, now(), now(), 2, i.platform, 1
            FROM dispatcher.installation i JOIN dispatcher.hub h ON h.id = i.hub_id
            WHERE h.name = '\(hub)' AND i.installation_id IN (\(list));
            """
        )
        return number
    }
}
