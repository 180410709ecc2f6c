import DispatchCore
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct RoleTests {
        /// A pool that works as the role.
        private func withRole(
            _ role: String,
            _ database: TestDatabase,
            _ body: (PostgresPool) async throws -> Void
        ) async throws {
            let url = "\(database.url)?options=-c%20role%3D\(role)"
            let configuration = try PostgresConfiguration(url: url, applicationName: "DispatcherTests")
            let pool = PostgresPool(configuration: configuration, size: 1)
            try await body(pool)
            await pool.close()
        }

        /// The names that the role may not read.
        private func refused(_ names: [String], _ pool: PostgresPool) async throws -> [String] {
            var refused: [String] = []
            for name in names {
                do throws(PostgresError) {
                    _ = try await pool.withSession { session throws(PostgresError) in
                        try session.execute("SELECT * FROM \(name) LIMIT 1")
                    }
                } catch {
                    #expect(error.sqlState == "42501", "\(name): \(error)")
                    refused.append(name)
                }
            }
            return refused
        }

        @Test("the dashboard reads every view, none of the tables and no push channel")
        func dashboard() async throws {
            try await withDatabase { database in
                let views = try await database.texts(
                    "SELECT 'dashboard.' || table_name FROM information_schema.views WHERE table_schema = 'dashboard'"
                ).map { $0[0] }
                let tables = try await database.texts(
                    "SELECT 'dispatcher.' || tablename FROM pg_tables WHERE schemaname = 'dispatcher'"
                ).map { $0[0] }
                #expect(views.count >= 8 && tables.count > 10)
                try await withRole("dispatcher_dashboard", database) { pool in
                    let refusedViews = try await refused(views, pool)
                    #expect(refusedViews == [])
                    let refusedTables = try await refused(tables, pool)
                    #expect(refusedTables == tables)
                }
                let columns = try await database.count(
                    """
                    SELECT count(*) FROM information_schema.columns
                    WHERE table_schema = 'dashboard' AND (column_name LIKE '%channel%' OR column_name IN ('body', 'reply', 'text'))
                    """
                )
                #expect(columns == 0)
            }
        }

        @Test("the views have the columns that others rely on")
        func contract() async throws {
            let contract = [
                "notifications":
                    "id hub state created_at target audience accepted failed retrying expired suppressed read "
                    + "finished_at",
                "deliveries": "notification_id installation_id user_id platform state attempts reason ambiguous "
                    + "next_attempt_at accepted_at displayed_at read_at action finished_at",
                "retries_due": "notification_id installation_id due_at",
                "dead_letters": "reason path byte_offset state replays replayed_at discarded_at",
                "installations": "installation_id user_id platform", "platform_outcomes": "minute platform state count",
                "workers": "id host state lease_until",
                "erasures": "id hub user_hash state requested_at completed_at installations notifications receipts "
                    + "dead_letters",
                "unread": "hub user_id thread unread",
                "receipts": "id notification_id hub installation_id user_id kind action response device_at received_at",
            ]
            try await withDatabase { database in
                for (view, columns) in contract {
                    let found = try await database.texts(
                        "SELECT column_name FROM information_schema.columns WHERE table_schema = 'dashboard' AND table_name = $1",
                        [.text(view)]
                    ).map { $0[0] }
                    #expect(Set(columns.split(separator: " ").map(String.init)).isSubset(of: found), "\(view)")
                }
            }
        }

        @Test("a worker with the worker's role does everything a worker does")
        func worker() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(100)
                try await stage.register([
                    Device("dead", channel: "dead-1", tags: ["crowd"]),
                    Device("slow", channel: "retry2-1", tags: ["crowd"]),
                ])
                let url = "\(stage.database.url)?options=-c%20role%3Ddispatcher_worker"
                let jobs = [
                    Job(to: #"{"tags":"crowd"}"#), Job(to: #"{"channels":[{"platform":"apns","token":"ok-x"}]}"#),
                    Job(to: #"{"broadcast":true}"#),
                ]
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.notification_class (hub_id, name, quiet_from, quiet_until, drops)
                    SELECT id, 'quiet', '00:00', '23:59:59.999999', true FROM dispatcher.hub;
                    INSERT INTO dispatcher.notification_class (hub_id, name) SELECT id, 'capped' FROM dispatcher.hub;
                    INSERT INTO dispatcher.notification_cap (class_id, period, most, per_user)
                    SELECT id, interval '1 day', 1, true FROM dispatcher.notification_class WHERE name = 'capped';
                    """
                )
                let time = String((DatabaseClock().now + .seconds(-259_200)).rfc3339.prefix(19))
                let classed = ["quiet", "capped", "capped"].map { name in
                    Job(
                        to: #"{"installations":["crowd-1"]}"#,
                        options: #"{"class":"\#(name)","timeZone":"device","sendAt":"\#(time)","ttlSeconds":2419200}"#
                    )
                }
                try await stage.withWorkers(1, ["DISPATCHER_DATABASE_URL": url]) { () async throws in
                    try await stage.publish(jobs + [Job(raw: [])])
                    let tallies = try await [stage.finished(jobs[0]).tally, stage.finished(jobs[1]).tally]
                    #expect(
                        tallies == [["audience": 102, "accepted": 101, "failed": 1], ["audience": 1, "accepted": 1]]
                    )
                    _ = try await stage.finished(jobs[2])
                    for (job, end) in zip(classed, ["suppressed", "accepted", "suppressed"]) {
                        try await stage.publish([job])
                        #expect(try await stage.finished(job).tally == ["audience": 1, end: 1])
                    }
                    let isFiled = await eventually {
                        try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 1
                    }
                    #expect(isFiled)
                    try await stage.registerByMessage([Device("late")])
                    try await stage.publish([ReceiptBody("read", of: jobs[0], on: "crowd-1").json], to: .receipts)
                    try await stage.expect(
                        1,
                        "SELECT count(*) FROM dashboard.installations WHERE installation_id = 'late'"
                    )
                    try await stage.expect(1, "SELECT count(*) FROM dashboard.deliveries WHERE read_at IS NOT NULL")
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.workers") == 0)
            }
        }
    }
}
