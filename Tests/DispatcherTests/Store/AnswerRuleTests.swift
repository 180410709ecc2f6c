import DispatchCore
import Foundation
import Postgres
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct AnswerRuleTests {
    private static let category = """
        {"id":"red-category","actions":[{"id":"rotate","title":"Rotate"}],"rules":[\
        {"on":"rotate","to":1,"since":"reset","update":{"title":"two"}},\
        {"on":"rotate","from":9,"to":9,"since":"reset","update":{}},\
        {"on":"accept","update":{"body":"Going!"},"for":"user"},\
        {"on":"reset","update":{"title":"one"}}]}
        """
    private static let job = "00000000-0000-0000-0000-000000000001"

    /// Two notifications that were sent to three devices of Alice and one of Bob; the second one has no rules.
    private static func prepare(_ database: TestDatabase) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.hub (name) VALUES ('other');
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, user_id)
            SELECT 1, 'i' || n, 1, 'ok-' || n, CASE WHEN n < 4 THEN 'alice' ELSE 'bob' END FROM generate_series(1, 5) n;
            INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
            SELECT n, now(), ('00000000-0000-0000-0000-00000000000' || n)::uuid, 1, 4, 1, '',
                   convert_to('{"to":{"tags":"a"},"content":{"title":"T","category":"'
                              || (ARRAY['red-category', 'other'])[n] || '"}}', 'UTF8')
            FROM generate_series(1, 2) n;
            INSERT INTO dispatcher.delivery (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
            SELECT n, i.id, now(), now(), 2, 1, 1 FROM dispatcher.installation i, generate_series(1, 2) n
            WHERE i.installation_id <> 'i3'
            """
        )
        _ = try await CategoryStore(pool: database.pool, hub: 1)
            .put(ActionCategory(decoding: Array(category.utf8))) { _ in }
    }

    private static func answer(
        _ action: String,
        _ number: Int,
        of notification: Int64 = 1,
        on device: String = "i1",
        kind: ReceiptKind = .action
    ) -> Receipt {
        Receipt(
            id: "\(action)-\(number)",
            notification: .number(NotificationID(rawValue: notification)),
            installationID: device,
            kind: kind,
            actionID: action,
            text: kind == .reply ? "text" : nil,
            response: .doNotDismiss,
            at: Timestamp(seconds: 1_700_000_000 + Int64(number))
        )
    }

    /// What the jobs in the outbox say, in their order: whom they are for and the title and body.
    private static func jobs(_ database: TestDatabase) async throws -> [[String]] {
        try await database.texts(
            """
            SELECT b -> 'to' ->> 'installations', b -> 'content' ->> 'title', b -> 'content' ->> 'body'
            FROM dispatcher.outbox, LATERAL (SELECT convert_from(body, 'UTF8')::jsonb AS b) j
            WHERE job_id IS NOT NULL AND lane = 0 AND hub_id = 1 AND b ->> 'id' = job_id::text
              AND b -> 'options' ->> 'replaces' = '\(job)'
            ORDER BY id
            """
        )
    }

    private static func intake(_ database: TestDatabase) -> ReceiptIntake {
        ReceiptIntake(pool: database.pool, told: .usual)
    }

    @Test("nine taps, each of them reported twice, by message and by request")
    func nineTaps() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let intake = Self.intake(database)
            for number in 1...10 {
                let taps = [Self.answer("rotate", number), Self.answer("rotate", number, of: 2)]
                _ = try await intake.take(taps.map { ReceiptIntake.Report(hub: 1, receipt: $0) })
                _ = try await intake.take(taps, in: 1)
                let expected = [["[\"i1\"]", "two", ""]] + (number < 9 ? [] : [["[\"i1\"]", "T", ""]])
                #expect(try await Self.jobs(database) == expected, "tap \(number)")
            }
            _ = try await intake.take([Self.answer("reset", 11)], in: 1)
            _ = try await intake.take([Self.answer("rotate", 12)], in: 1)
            #expect(try await Self.jobs(database).map { $0[1] } == ["two", "T", "one", "two"])
            // Another device counts by itself, and a reply is an answer too.
            _ = try await intake.take([Self.answer("rotate", 13, on: "i4", kind: .reply)], in: 1)
            #expect(try await Self.jobs(database).last == ["[\"i4\"]", "two", ""])
            #expect(try await database.count("SELECT count(DISTINCT job_id) FROM dispatcher.outbox") == 5)
        }
    }

    @Test("of the answers of one wave the last one's change is sent")
    func wave() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let taps = (1...9).map { Self.answer("rotate", $0) }
            _ = try await Self.intake(database).take(taps, in: 1)
            #expect(try await Self.jobs(database) == [["[\"i1\"]", "T", ""]])
            let more = [Self.answer("reset", 20), Self.answer("rotate", 21), Self.answer("rotate", 22)]
            _ = try await Self.intake(database).take(more + [Self.answer("rotate", 1, on: "i4")], in: 1)
            #expect(try await Self.jobs(database).dropFirst() == [["[\"i1\"]", "two", ""], ["[\"i4\"]", "two", ""]])
        }
    }

    @Test("a change for the user goes to those of the user's devices that have the notification")
    func user() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            _ = try await Self.intake(database).take([Self.answer("accept", 1)], in: 1)
            #expect(try await Self.jobs(database) == [["[\"i1\", \"i2\"]", "T", "Going!"]])
        }
    }

    @Test("nine taps that come at once, each in a transaction of its own, are counted one by one")
    func atOnce() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let intake = Self.intake(database)
            try await withThrowingTaskGroup(of: Void.self) { group in
                for number in 1...9 {
                    group.addTask { _ = try await intake.take([Self.answer("rotate", number)], in: 1) }
                    group.addTask { _ = try await intake.take([Self.answer("rotate", number, on: "i2")], in: 1) }
                }
                try await group.waitForAll()
            }
            let jobs = try await Self.jobs(database)
            for device in ["i1", "i2"] {
                #expect(jobs.filter { $0[0] == "[\"\(device)\"]" }.map { $0[1] } == ["two", "T"], "\(device)")
            }
        }
    }

    @Test("a cancelled notification is not changed, nor one that is erased or names no such category")
    func nothing() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let intake = Self.intake(database)
            _ = try await intake.take([Self.answer("rotate", 1, of: 2), Self.answer("other", 2)], in: 1)
            try await database.execute("UPDATE dispatcher.notification SET body = '' WHERE id = 1")
            _ = try await intake.take([Self.answer("rotate", 3)], in: 1)
            try await database.execute("UPDATE dispatcher.notification SET cancelled_at = now()")
            _ = try await intake.take([Self.answer("rotate", 4)], in: 1)
            #expect(try await Self.jobs(database) == [])
            #expect(try await database.count("SELECT count(*) FROM dispatcher.receipt") == 4)
        }
    }

    @Test("after a thousand answers of one device no rule is for it")
    func flood() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            try await database.execute(
                """
                INSERT INTO dispatcher.receipt (notification_id, installation_id, device_at, kind, receipt_id, action_id)
                SELECT 1, id, now(), 5, 'old-' || n, 'accept' FROM dispatcher.installation, generate_series(1, 999) n
                WHERE installation_id = 'i5'
                """
            )
            let intake = Self.intake(database)
            _ = try await intake.take([Self.answer("reset", 1, on: "i5")], in: 1)
            #expect(try await Self.jobs(database).count == 1)
            _ = try await intake.take([Self.answer("reset", 2, on: "i5")], in: 1)
            #expect(try await Self.jobs(database).count == 1)
        }
    }

    @Test("what the API's role may call sees its own hub alone")
    func isolation() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let find = "SELECT count(*) FROM dispatcher.find_hub_answers('{1}', '{1}', '{rotate}')"
            let add = "SELECT dispatcher.add_hub_follow_ups('{1}', ARRAY[gen_random_uuid()], '{x}')"
            for hub in [nil, 2, 1] as [Int?] {
                let setting =
                    "SELECT set_config('dispatcher.hub_id', '\(hub.map(String.init) ?? "")', true); SET LOCAL ROLE dispatcher_api;"
                try await database.execute("BEGIN; \(setting) \(add); COMMIT")
                let found = try await database.pool.inHub(Int32(hub ?? 0)) { session in
                    try session.execute(PostgresStatement(find)).int8(0, 0)
                }
                #expect(found == (hub == 1 ? 1 : 0))
                #expect(try await database.count("SELECT count(*) FROM dispatcher.outbox") == (hub == 1 ? 1 : 0))
            }
            await #expect(throws: PostgresError.self) {
                try await database.execute(
                    "BEGIN; SET LOCAL ROLE dispatcher_api; SELECT * FROM dispatcher.find_answers('{1}', '{1}', '{1}', '{rotate}')"
                )
            }
        }
    }
}
