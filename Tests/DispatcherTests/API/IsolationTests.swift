import HTTP
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct IsolationTests {
        @Test("a key of one hub sees, changes and removes nothing of another, on any route")
        func routes() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.addKey("theirs", rights: .manage, hub: "other")
                    let other = api.as(.key("theirs", Stage.secret))
                    let path = "/api/installations/phone"
                    _ = try await api.send("PUT", path, Stage.phone("ok-1", #""userId":"alice","tags":["a"]"#))
                    let job = Job(to: #"{"users":["alice"]}"#, options: #"{"inbox":true}"#)
                    try await stage.withWorkers {
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                    }
                    let before = try await api.send("GET", path).text
                    var probed: Set<String> = ["GET /health", "GET /ready"]
                    func probe(_ method: String, _ pattern: String, _ path: String, _ body: String? = nil) async throws
                        -> APIClient.Answer
                    {
                        probed.insert("\(method) \(pattern)")
                        return try await other.send(method, path, body)
                    }
                    let one = "/api/installations/{id}"
                    #expect(try await probe("GET", one, path).status == 404)
                    #expect(try await probe("PATCH", one, path, "[]").status == 404)
                    #expect(try await probe("POST", one + "/secret", path + "/secret").status == 404)
                    #expect(try await probe("DELETE", one, path).status == 204)
                    let list = try await probe("GET", "/api/installations", "/api/installations?user=alice")
                    #expect(list.text == #"{"installations":[]}"#)
                    // The same id and channel in another hub is another installation.
                    #expect(try await probe("PUT", one, path, Stage.phone("ok-1")).status == 201)
                    #expect(try await probe("GET", "/api/jobs/{id}", "/api/jobs/\(job.id)").status == 404)
                    #expect(try await probe("DELETE", "/api/jobs/{id}", "/api/jobs/\(job.id)").status == 404)
                    let document = #"{"to":{"broadcast":true},"content":{"title":"x"}}"#
                    #expect(try await probe("PUT", "/api/jobs/{id}", "/api/jobs/\(job.id)", document).status == 404)
                    let schedule = try await probe("GET", "/api/jobs", "/api/jobs?state=scheduled")
                    #expect(schedule.text == #"{"jobs":[]}"#)
                    #expect(
                        try await probe("DELETE", "/api/users/{id}", "/api/users/alice").member("installations") == "0"
                    )
                    let export = "/api/installations/export"
                    #expect(try await !probe("GET", export, export).text.contains("alice"))
                    let load = "/api/installations/import"
                    #expect(try await probe("POST", load, load, "{}").status == 415)
                    let erasure = try await probe("GET", "/api/users/{id}/erasure", "/api/users/alice/erasure")
                    #expect(erasure.member("installations") == "0")
                    #expect(try await api.send("GET", "/api/users/alice/erasure").status == 404)
                    let theft = #"{"hub":"default","to":{"broadcast":true},"content":{"title":"x"}}"#
                    #expect(try await probe("POST", "/api/jobs", "/api/jobs", theft).status == 403)
                    try await Self.probeCategories(api, probe)
                    let read = ReceiptBody("read", of: job, on: "phone").json
                    #expect(try await probe("POST", "/api/receipts", "/api/receipts", read).status == 404)
                    let open = try await probe("POST", "/api/receipts", "/api/receipts", #"{"receipts":[\#(read)]}"#)
                    #expect(open.text.contains("notAddressed"))
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.receipt") == 0)
                    try await Self.probeNotifications(api, probe)
                    try await Self.probeInbox(api, probe, job)
                    #expect(try await api.send("GET", path).text == before)
                    #expect(try await api.send("GET", "/api/jobs/\(job.id)").status == 200)
                    #expect(probed == Set(APIRoute.all.map { "\($0.method.rawValue) \($0.pattern)" }))
                }
            }
        }

        private static func probeNotifications(
            _ api: APIClient,
            _ probe: (String, String, String, String?) async throws -> APIClient.Answer
        ) async throws {
            let content = #""content":{"type":"a/b","data":"AQID"}"#
            let ours = try await api.send(
                "POST",
                "/api/notifications",
                #"{"notification":{"to":{"broadcast":true}},\#(content)}"#
            )
            let path = try #require(ours["Location"])
            let one = "/api/notifications/{id}"
            #expect(try await probe("GET", one, path, nil).status == 404)
            #expect(try await probe("POST", one + "/link", path + "/link", nil).status == 404)
            let theft = #"{"notification":{"hub":"default","to":{"broadcast":true}},\#(content)}"#
            #expect(try await probe("POST", "/api/notifications", "/api/notifications", theft).status == 403)
            #expect(try await api.send("GET", path).status == 200)
        }

        private static func probeInbox(
            _ api: APIClient,
            _ probe: (String, String, String, String?) async throws -> APIClient.Answer,
            _ job: Job
        ) async throws {
            let before = try await api.send("GET", "/api/inbox?user=alice").text
            #expect(before.contains(job.id) && before.contains(#""total":1"#))
            let list = try await probe("GET", "/api/inbox", "/api/inbox?user=alice", nil)
            #expect(list.text == #"{"items":[],"unread":{"total":0,"threads":{}}}"#)
            let one = "/api/notifications/\(job.id)/read?user=alice"
            #expect(try await probe("POST", "/api/notifications/{id}/read", one, nil).status == 404)
            let all = "/api/inbox/read?user=alice"
            #expect(try await probe("POST", "/api/inbox/read", all, "{}").text == #"{"read":0,"unread":0}"#)
            #expect(try await probe("POST", "/api/inbox/read", all, #"{"upTo":"\#(job.id)"}"#).status == 404)
            #expect(try await api.send("GET", "/api/inbox?user=alice").text == before)
        }

        private static func probeCategories(
            _ api: APIClient,
            _ probe: (String, String, String, String?) async throws -> APIClient.Answer
        ) async throws {
            let (one, path) = ("/api/categories/{id}", "/api/categories/invite")
            let ours = try await api.send("PUT", path, #"{"actions":[{"id":"yes","title":"Yes"}]}"#)
            #expect(ours.status == 201)
            #expect(try await probe("GET", one, path, nil).status == 404)
            #expect(try await probe("GET", "/api/categories", "/api/categories", nil).text == #"{"categories":[]}"#)
            #expect(try await probe("DELETE", one, path, nil).status == 204)
            // The same id in another hub is another category.
            #expect(try await probe("PUT", one, path, "{}").status == 201)
            #expect(try await api.send("GET", path).text == ours.text)
        }

        @Test("the API's role sees nothing before a hub is set, and has no right beyond what it needs")
        func role() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel)
                    SELECT id, 'a', 1, 'c' FROM dispatcher.hub
                    """
                )
                try await database.execute(
                    "INSERT INTO dispatcher.category (hub_id, category_id, document) SELECT id, 'a', '{}' FROM dispatcher.hub"
                )
                var configuration = try PostgresConfiguration(url: database.url, applicationName: "DispatcherTests")
                configuration.sessionSettings = ["role": "dispatcher_api"]
                let pool = PostgresPool(configuration: configuration, size: 1)
                for sql in [
                    "SELECT count(*) FROM dispatcher.installation", "SELECT count(*) FROM dispatcher.hub_notification",
                    "SELECT count(*) FROM dispatcher.device_secret", "SELECT count(*) FROM dispatcher.category",
                    "SELECT count(*) FROM dispatcher.hub_schedule",
                    "SELECT count(*) FROM dispatcher.job_intake",
                ] {
                    let count = try await pool.withSession { session throws(PostgresError) in
                        try session.execute(PostgresStatement(sql)).int8(0, 0)
                    }
                    #expect(count == 0, "\(sql)")
                }
                let seen = try await pool.inHub(1) { session in
                    try session.execute(PostgresStatement("SELECT count(*) FROM dispatcher.installation")).int8(0, 0)
                }
                #expect(seen == 1)
                await #expect(throws: PostgresError.self) {
                    try await pool.inHub(2) { session in
                        try session.execute(
                            "INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel) VALUES (1, 'b', 1, 'd')"
                        )
                    }
                }
                await pool.close()
                let rights = try await database.texts(
                    """
                    SELECT table_schema || '.' || table_name || ' ' || string_agg(privilege_type, ',' ORDER BY privilege_type)
                    FROM information_schema.role_table_grants WHERE grantee = 'dispatcher_api'
                    GROUP BY table_schema, table_name ORDER BY 1
                    """
                ).map { $0[0] }
                #expect(
                    rights == [
                        "dispatcher.category DELETE,INSERT,SELECT,UPDATE",
                        "dispatcher.content DELETE,INSERT,SELECT,UPDATE", "dispatcher.content_chunk INSERT,SELECT",
                        "dispatcher.device_secret INSERT,SELECT,UPDATE", "dispatcher.hub_notification SELECT",
                        "dispatcher.hub_schedule SELECT", "dispatcher.installation DELETE,INSERT,SELECT,UPDATE",
                        "dispatcher.job_intake INSERT,SELECT", "dispatcher.migration SELECT",
                    ]
                )
            }
        }

        @Test("the worker's plans are the ones without policies")
        func plans() async throws {
            try await withDatabase { database in
                try await database.execute(
                    """
                    INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
                    SELECT 1, 'i' || n, 1, 'c' || n, ARRAY['t' || n] FROM generate_series(1, 5000) n
                    """
                )
                try await database.execute("ANALYZE dispatcher.installation")
                let explain = """
                    EXPLAIN (COSTS OFF) SELECT i.id FROM dispatcher.installation i
                    WHERE i.hub_id = 1 AND i.tags @> ARRAY['t7'] AND i.retired_at IS NULL
                    """
                let plain = try await database.texts(explain)
                var configuration = try PostgresConfiguration(url: database.url, applicationName: "DispatcherTests")
                configuration.sessionSettings = ["role": "dispatcher_worker"]
                let pool = PostgresPool(configuration: configuration, size: 1)
                let worker = try await pool.withSession { session throws(PostgresError) in
                    let rows = try session.execute(PostgresStatement(explain))
                    var lines: [[String]] = []
                    for row in 0..<rows.count { lines.append([try rows.text(row, 0)]) }
                    return lines
                }
                await pool.close()
                #expect(worker == plain && "\(plain)".contains("installation_tags"))
            }
        }
    }
}
