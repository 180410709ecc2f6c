import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// How installations live: seen, expired, reinstalled, and read under conditions.
    @Suite(.timeLimit(.minutes(4))) struct InstallationLifeTests {
        @Test("a device that shows its secret is seen, once a day, and what was read may be written back")
        func seen() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let put = try await api.send("PUT", "/api/installations/p", Stage.phone("ok-1"))
                    let phone = api.as(.bearer(try #require(put.member("secret"))))
                    #expect(try await api.send("GET", "/api/installations/p").member("lastSeenAt") == nil)
                    let tag = try await phone.send("GET", "/api/installations/p")["ETag"]
                    let isSeen = await eventually {
                        try await api.send("GET", "/api/installations/p").member("lastSeenAt") != nil
                    }
                    #expect(isSeen)
                    let read = try await api.send("GET", "/api/installations/p")
                    #expect(read["ETag"] == tag)
                    #expect(try await api.send("PUT", "/api/installations/p", read.text).status == 200)
                    let first = try await stage.database.texts("SELECT last_seen_at::text FROM dashboard.installations")
                    let pool = stage.database.pool
                    for _ in 1...2 {
                        try await pool.withSession { session throws(PostgresError) in
                            try session.execute(
                                "SELECT dispatcher.note_seen(ARRAY(SELECT id FROM dispatcher.installation))"
                            )
                        }
                    }
                    #expect(
                        try await stage.database.texts("SELECT last_seen_at::text FROM dashboard.installations")
                            == first
                    )
                }
            }
        }

        @Test("an expired installation is nobody's audience, and retention removes it step by step")
        func expiry() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let past = Date.now.addingTimeInterval(-60).formatted(.iso8601)
                    let future = Date.now.addingTimeInterval(3_600).formatted(.iso8601)
                    for (id, time) in [("old", past), ("young", future)] {
                        let body = Stage.phone("ok-\(id)", #""userId":"alice","expirationTime":"\#(time)""#)
                        #expect(try await api.send("PUT", "/api/installations/\(id)", body).status == 201)
                    }
                    let job = Job(to: #"{"users":["alice"]}"#)
                    try await stage.withWorkers {
                        try await stage.publish([job])
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    let store = WorkerStore(pool: stage.database.pool)
                    #expect(try await store.removeExpired(retentionDays: 1) == false)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.installation") == 2)
                    #expect(try await store.removeExpired(retentionDays: 0) == false)
                    let left = try await stage.database.texts("SELECT installation_id FROM dispatcher.installation")
                    #expect(left == [["young"]])
                }
            }
        }

        @Test("a change of permission shows with its time")
        func permission() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await api.send(
                        "PUT",
                        "/api/installations/p",
                        Stage.phone("ok-1", #""permission":"authorized""#)
                    )
                    let query = "SELECT permission, (permission_changed_at IS NULL)::text FROM dashboard.installations"
                    #expect(try await stage.database.texts(query) == [["authorized", "true"]])
                    _ = try await api.patch(
                        "/api/installations/p",
                        #"[{"op":"add","path":"/permission","value":"denied"}]"#
                    )
                    #expect(try await stage.database.texts(query) == [["denied", "false"]])
                    try await stage.withWorkers {
                        try await stage.registerByMessage([Device("p", channel: "ok-1", permission: "provisional")])
                        try await stage.expect(
                            1,
                            "SELECT count(*) FROM dashboard.installations WHERE permission = 'provisional'"
                        )
                    }
                }
            }
        }

        @Test("a reinstall is the same row by its id, and takes the channel over from the row before by another id")
        func reinstall() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let rows = """
                        SELECT installation_id, push_channel, coalesce(retire_reason, '') FROM dashboard.installations d
                        JOIN dispatcher.installation i ON i.id = d.number ORDER BY d.number
                        """.replacingOccurrences(of: "SELECT installation_id,", with: "SELECT d.installation_id,")
                        .replacingOccurrences(of: "coalesce(retire_reason", with: "coalesce(d.retire_reason")
                    _ = try await api.send("PUT", "/api/installations/one", Stage.phone("ok-1"))
                    _ = try await api.send("PUT", "/api/installations/one", Stage.phone("ok-2"))
                    #expect(try await stage.database.texts(rows) == [["one", "ok-2", ""]])
                    _ = try await api.send("PUT", "/api/installations/two", Stage.phone("ok-2"))
                    #expect(
                        try await stage.database.texts(rows) == [
                            ["one", "ok-2", "ChannelTaken"], ["two", "ok-2", ""],
                        ]
                    )
                    try await stage.withWorkers { () async throws in
                        try await stage.registerByMessage([Device("two", channel: "ok-3")])
                        try await stage.expect(
                            1,
                            "SELECT count(*) FROM dispatcher.installation WHERE push_channel = 'ok-3'"
                        )
                        try await stage.registerByMessage([Device("three", channel: "ok-3")])
                        try await stage.expect(3, "SELECT count(*) FROM dispatcher.installation")
                    }
                    let found = try await stage.database.texts(rows)
                    #expect(
                        found == [
                            ["one", "ok-2", "ChannelTaken"], ["two", "ok-3", "ChannelTaken"], ["three", "ok-3", ""],
                        ]
                    )
                }
            }
        }

        @Test("a weak tag is good enough to read by, and never to change by")
        func tags() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let path = "/api/installations/p"
                    let put = try await api.send("PUT", path, Stage.phone("ok-1"))
                    let tag = try #require(put["ETag"])
                    for given in [tag, "W/\(tag)", #""x", W/\#(tag)"#, "*"] {
                        #expect(
                            try await api.send("GET", path, nil, ["If-None-Match": given]).status == 304,
                            "\(given)"
                        )
                    }
                    #expect(try await api.send("GET", path, nil, ["If-None-Match": #"W/"x""#]).status == 200)
                    let patch = #"[{"op":"add","path":"/tags/-","value":"a"}]"#
                    for (given, status) in [("W/\(tag)", 412), (#""x""#, 412), ("x", 412), (#""x", \#(tag)"#, 200)] {
                        #expect(try await api.patch(path, patch, ["If-Match": given]).status == status, "\(given)")
                    }
                    let body = Stage.phone("ok-1")
                    for given in ["*", "W/\(tag)"] where given == "*" {
                        #expect(try await api.send("PUT", path, body, ["If-None-Match": given]).status == 412)
                    }
                    #expect(try await api.send("PUT", path, body, ["If-None-Match": "W/\(tag)"]).status == 200)
                }
            }
        }
    }
}
