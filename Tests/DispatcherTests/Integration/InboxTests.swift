import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Rows of inboxes, written where the audience is planned.
    @Suite(.timeLimit(.minutes(4))) struct InboxTests {
        private static let kept = #"{"inbox":true}"#

        @Test("each user of a small audience gets one row, with the thread, and nothing that is not kept gets any")
        func small() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("a1", user: "alice"), Device("a2", user: "alice"), Device("b1", user: "bob"), Device("x"),
                ])
                let kept = Job(
                    to: #"{"installations":["a1","a2","b1","x"]}"#,
                    content: #"{"title":"Hi","thread":"t"}"#,
                    options: Self.kept
                )
                let counted = Job(to: #"{"users":["alice"]}"#, content: #"{"title":"Hi","badge":"unread"}"#)
                let silent = Job(to: #"{"users":["alice"]}"#)
                let late = Job(
                    to: #"{"users":["alice"]}"#,
                    options: #"{"inbox":true,"expiresAt":"2020-01-01T00:00:00Z"}"#
                )
                try await stage.withWorkers {
                    let jobs = [kept, counted, silent, late]
                    try await stage.publish(jobs)
                    for job in jobs { _ = try await stage.finished(job) }
                }
                #expect(try await stage.inboxes(kept) == [["alice", "t", "false"], ["bob", "t", "false"]])
                #expect(try await stage.inboxes(counted) == [["alice", "", "false"]])
                #expect(try await stage.inboxes(silent) == [])
                #expect(try await stage.inboxes(late) == [])
                #expect(try await stage.unread("alice") == 2)
                #expect(try await stage.unread("alice", thread: "t") == 1)
                #expect(try await stage.unread("bob", thread: "t") == 1)
            }
        }

        @Test("a broadcast to 3,000 devices gives each of its 1,000 users one row; a hub's setting is enough for that")
        func broadcast() async throws {
            try await Stage.with { stage in
                try await stage.registerUsers(1000, devices: 3)
                try await stage.database.execute("UPDATE dispatcher.hub SET keeps_inbox = true")
                let job = Job(to: #"{"broadcast":true}"#)
                let silent = Job(to: #"{"broadcast":true}"#, content: #"{"data":{"a":1}}"#)
                try await stage.withWorkers {
                    try await stage.publish([job, silent], lane: .bulk)
                    #expect(try await stage.finished(job).tally == ["audience": 3000, "accepted": 3000])
                    _ = try await stage.finished(silent)
                }
                let rows = try await stage.inboxes(job)
                #expect(rows.count == 1000 && Set(rows.map { $0[0] }).count == 1000)
                #expect(try await stage.inboxes(silent) == [])
                #expect(try await stage.unread("user-7") == 1)
            }
        }

        @Test("a planner that takes over from a killed one adds no row twice")
        func resumed() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.installation (hub_id, installation_id, user_id, platform, push_channel)
                    SELECT 1, 'd' || n, 'u' || n % 50, 1, 'ok-' || n FROM generate_series(1, 200) n
                    """
                )
                let job = Job(to: #"{"broadcast":true}"#, options: Self.kept)
                let clock = DatabaseClock()
                let first = WavePlanner(store: WaveStore(pool: database.pool, worker: 1), clock: clock)
                await clock.synchronise { Timestamp(seconds: 1_800_000_000) }
                let plan = try await first.plan([try WorkExample.wave(job)], lane: .normal)
                let work = try #require(plan.large.first)
                #expect(try await PlanStore(pool: database.pool, worker: 1).writePage(of: work).isEmpty == false)
                // As if the first had written half of the page: the second writes the other half for the same users.
                try await database.execute("UPDATE dispatcher.plan SET worker_id = NULL, cursor = 100")
                let second = PlanStore(pool: database.pool, worker: 2)
                let row = try #require(try await second.claimDue())
                #expect(try await second.writePage(of: try row.work).isEmpty == false)
                #expect(try await second.writePage(of: try row.work).isEmpty)
                let rows = try await database.count("SELECT count(*) FROM dispatcher.inbox")
                let users = try await database.count("SELECT count(DISTINCT user_id) FROM dispatcher.inbox")
                #expect(rows == 50 && users == 50)
            }
        }
    }
}
