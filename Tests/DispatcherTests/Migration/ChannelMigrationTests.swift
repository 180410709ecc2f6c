import Foundation
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct ChannelMigrationTests {
    /// Runs the body with a folder that holds the first migrations only.
    private func withFirst(_ count: Int, _ body: (String) async throws -> Void) async throws {
        let folder = NSTemporaryDirectory() + "dispatcher-migrations-\(UInt32.random(in: 0 ... .max))"
        try FileManager.default.copyItem(atPath: TestDatabase.migrations, toPath: folder)
        defer { try? FileManager.default.removeItem(atPath: folder) }
        for name in try FileManager.default.contentsOfDirectory(atPath: folder).sorted().dropFirst(count) {
            try FileManager.default.removeItem(atPath: folder + "/" + name)
        }
        try await body(folder)
    }

    @Test("of devices that share a channel when the rule comes, the last to register keeps it")
    func sharedBefore() async throws {
        try await withDatabase(migrated: false) { database in
            try await withFirst(5) { try await TestDatabase.migrate(database.url, folder: $0) }
            try await database.execute(
                """
                INSERT INTO dispatcher.installation
                    (hub_id, installation_id, platform, push_channel, registered_at, retired_at, retire_reason, is_direct)
                SELECT 1, id, platform, channel, now() - age * interval '1 day', CASE WHEN gone THEN now() END,
                       CASE WHEN gone THEN 'Unregistered' END, direct
                FROM (VALUES ('old', 1, 'c', 3, false, false), ('new', 1, 'c', 1, false, false),
                             ('older', 1, 'c', 5, false, false), ('gone', 1, 'c', 0, true, false),
                             ('direct', 1, 'c', 0, false, true), ('google', 2, 'c', 4, false, false))
                    AS v(id, platform, channel, age, gone, direct)
                """
            )
            try await TestDatabase.migrate(database.url)
            let rows = try await database.texts(
                "SELECT installation_id, coalesce(retire_reason, '') FROM dispatcher.installation ORDER BY 1"
            )
            #expect(
                rows == [
                    ["direct", ""], ["gone", "Unregistered"], ["google", ""], ["new", ""], ["old", "ChannelTaken"],
                    ["older", "ChannelTaken"],
                ]
            )
        }
    }
}
