import AMQP
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct ErasureTests {
        private static let user = "canary-user"
        private static let device = "canary-device"
        private static let token = "ok-canary-token"
        private static let canaries = [
            user, device, token, "canary-reply", "canary-payload", "canary-letter", "canary-content",
        ]

        /// Every column of every table in which one of the texts stands, as "table.column: text".
        private func traces(_ texts: [String], in database: TestDatabase) async throws -> [String] {
            let columns = try await database.texts(
                """
                SELECT c.table_name, c.column_name, c.data_type FROM information_schema.columns c
                JOIN information_schema.tables t USING (table_schema, table_name)
                WHERE table_schema = 'dispatcher' AND t.table_type = 'BASE TABLE'
                """
            )
            var found: [String] = []
            for column in columns {
                let name = "\"\(column[1])\""
                let value = column[2] == "bytea" ? "encode(\(name), 'escape')" : "\(name)::text"
                for text in texts {
                    let sql = "SELECT count(*) FROM dispatcher.\"\(column[0])\" WHERE position($1 IN \(value)) > 0"
                    guard try await database.count(sql, [.text(text)]) > 0 else { continue }
                    found.append("\(column[0]).\(column[1]): \(text)")
                }
            }
            return found
        }

        /// Every text that still stands in a message of any of our queues.
        private func queued(_ texts: [String]) async throws -> [String] {
            var found: [String] = []
            for queue in Servers.queues {
                let consumer = AMQPConsumer(
                    endpoint: try Servers.endpoint(),
                    queue: queue,
                    prefetch: 500,
                    connectionName: "DispatcherTests drain",
                    onEvent: { _ in }
                )
                consumer.start()
                let messages = await consumer.next(limit: 500, within: .milliseconds(500))
                await consumer.stop()
                for message in messages {
                    let text = String(decoding: message.body, as: UTF8.self) + "\(message.properties)"
                    found += texts.filter(text.contains).map { "\(queue): \($0)" }
                }
            }
            return found
        }

        private func isDone(_ api: APIClient, _ user: String = user) async throws {
            let isDone = await eventually(within: .seconds(40)) {
                try await api.send("GET", "/api/users/\(user)/erasure").member("state") == "done"
            }
            let last = try await api.send("GET", "/api/users/\(user)/erasure").text
            try #require(isDone, "\(last)")
        }

        private static func canaryJob(_ to: String, _ options: String = "{}") -> Job {
            Job(to: to, content: #"{"title":"canary-payload"}"#, options: options)
        }

        /// Everything that a user leaves in the tables while the hub works.
        private func live(_ stage: Stage, _ api: APIClient) async throws -> Job {
            try await stage.database.execute("UPDATE dispatcher.hub SET keeps_inbox = true")
            let phone = Stage.phone(Self.token, #""userId":"canary-user","tags":["a","username:canary-user"]"#)
            #expect(try await api.send("PUT", "/api/installations/canary-device", phone).status == 201)
            #expect(
                try await api.send("PUT", "/api/installations/bob-1", Stage.phone("ok-bob", #""userId":"bob""#)).status
                    == 201
            )
            let octets = Data("canary-content".utf8).base64EncodedString()
            let rich = #"{"title":"x","rich":{"content":{"type":"text/plain","data":"\#(octets)"}}}"#
            let jobs = [
                Job(to: #"{"users":["canary-user"]}"#, content: rich),
                Self.canaryJob(#"{"users":["canary-user"]}"#), Self.canaryJob(#"{"tags":"username:canary-user"}"#),
                Self.canaryJob(#"{"tags":"$UserId:{canary-user}"}"#),
                Self.canaryJob(#"{"installations":["canary-device"]}"#),
                Self.canaryJob(#"{"channels":[{"platform":"apns","token":"ok-canary-token"}]}"#),
                Job(to: #"{"users":["canary-user","bob"]}"#, content: #"{"title":"for-both"}"#),
                Job(to: #"{"tags":"username:canary-user || username:bob"}"#, content: #"{"title":"for-tags"}"#),
                Job(to: #"{"installations":["bob-1","canary-device"]}"#, content: #"{"title":"for-devices"}"#),
            ]
            let tomorrow = Date.now.addingTimeInterval(86_400).formatted(.iso8601)
            let later = Self.canaryJob(#"{"users":["canary-user"]}"#, #"{"sendAt":"\#(tomorrow)"}"#)
            try await stage.publish(jobs + [later])
            for job in jobs { _ = try await stage.finished(job) }
            // What cannot be accepted lies in the dead letters, whatever it is.
            let broken = Job(
                raw: Array(#"{"to":{"users":["canary-user"]},"content":{"canary-letter":1}"#.utf8),
                messageID: "canary-letter"
            )
            let wrong = Job(
                raw: Array(#"{"id":"x","to":{"users":["canary-user"]},"content":{"title":"canary-letter"}}"#.utf8)
            )
            try await stage.publish([broken, wrong, Job(raw: Array(#"{"bob":1}"#.utf8))])
            try await stage.publish(
                [#"{"installationId":"canary-device","pushChannel":"ok-canary-token","x":1}"#],
                to: .installations
            )
            let reply = #","actionId":"comment","text":"canary-reply""#
            try await stage.publish(
                [
                    ReceiptBody("reply", of: jobs[1], on: Self.device, more: reply).json,
                    ReceiptBody("read", of: jobs[6], on: "bob-1").json,
                ],
                to: .receipts
            )
            try await stage.expect(2, "SELECT count(*) FROM dispatcher.receipt")
            try await stage.expect(4, "SELECT count(*) FROM dispatcher.dead_letter WHERE published_at IS NOT NULL")
            return jobs[6]
        }

        @Test("nothing of an erased user is left in any table or queue; counts, and what others have, stay")
        func everything() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let shared = try await stage.withWorkers { try await live(stage, api) }
                    // With the workers gone, things of the user wait in the queues, in front of the markers.
                    try await stage.publish([Self.canaryJob(#"{"users":["canary-user"]}"#)], lane: .bulk)
                    let mixed = Job(to: #"{"users":["canary-user","bob"]}"#, content: #"{"title":"mixed"}"#)
                    try await stage.publish([Self.canaryJob(#"{"users":["canary-user"]}"#), mixed])
                    try await stage.registerByMessage([
                        Device(Self.device, user: Self.user, channel: Self.token), Device("other", channel: Self.token),
                        Device("carol-1", user: "carol"),
                    ])
                    let late = ReceiptBody(
                        "reply",
                        of: shared,
                        on: Self.device,
                        id: "canary-late",
                        more: #","actionId":"a","text":"canary-reply""#
                    )
                    try await stage.publish([late.json], to: .receipts)
                    let before = try await traces(Self.canaries, in: stage.database)
                    #expect(before.count > 10)

                    let answer = try await api.send("DELETE", "/api/users/canary-user")
                    #expect(
                        answer.status == 202 && answer["Location"] == "/api/users/canary-user/erasure",
                        "\(answer.text)"
                    )
                    #expect(answer.member("state") == "waiting" && answer.member("installations") == "1")
                    #expect(try await api.send("GET", "/api/installations/canary-device").status == 404)
                    try await stage.withWorkers { () async throws in
                        try await isDone(api)
                        _ = try await stage.finished(mixed)
                        try await stage.expect(
                            1,
                            "SELECT count(*) FROM dispatcher.installation WHERE user_id = 'carol'"
                        )
                    }
                    #expect(try await traces(Self.canaries, in: stage.database) == [])
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.dead_letter") == 1)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.inbox") > 0)
                    let counts = try await stage.database.texts(
                        "SELECT accepted::text, read::text FROM dashboard.notifications WHERE id::text = $1",
                        [.text(shared.id)]
                    )
                    #expect(counts == [["2", "1"]])
                    let sent = try String(contentsOfFile: stage.witness.path, encoding: .utf8)
                    #expect(sent.components(separatedBy: "mixed").count == 2)
                    let audit = try await stage.database.texts(
                        "SELECT hub, state, installations::text, receipts::text, dead_letters::text FROM dashboard.erasures"
                    )
                    #expect(audit == [["default", "done", "1", "1", "3"]])
                    #expect(try await queued(Self.canaries) == [])
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.plan") == 0)
                }
            }
        }

        @Test("what a service registers and sends after the erasure works, what was queued before does not")
        func order() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let old = Job(to: #"{"users":["canary-user"]}"#, content: #"{"title":"old"}"#)
                    try await stage.publish([old])
                    try await stage.registerByMessage([Device("old-device", user: Self.user)])
                    #expect(try await api.send("DELETE", "/api/users/canary-user").status == 202)
                    let phone = Stage.phone("ok-new", #""userId":"canary-user""#)
                    #expect(try await api.send("PUT", "/api/installations/new-1", phone).status == 201)
                    try await stage.registerByMessage([Device("new-2", user: Self.user)])
                    try await stage.withWorkers { () async throws in
                        try await stage.expect(2, "SELECT count(*) FROM dispatcher.installation")
                        let new = Job(to: #"{"users":["canary-user"]}"#, content: #"{"title":"new"}"#)
                        try await stage.publish([new])
                        let status = try await stage.finished(new)
                        #expect(status.tally == ["audience": 2, "accepted": 2])
                        try await isDone(api)
                        #expect(try await stage.status(old)?.state == "cancelled")
                    }
                    let ids = try await stage.database.texts(
                        "SELECT installation_id FROM dispatcher.installation ORDER BY 1"
                    )
                    #expect(ids == [["new-1"], ["new-2"]])
                    let sent = try String(contentsOfFile: stage.witness.path, encoding: .utf8)
                    #expect(!sent.contains("old"))
                    // The same job once more, with whatever body, is the one that was stopped.
                    try await stage.withWorkers {
                        try await stage.publish([old])
                        try await stage.expectQuiet()
                    }
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.dead_letter") == 0)
                }
            }
        }

        @Test("a retry of an erased device is not sent, and its notification comes to an end")
        func retry() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = Stage.phone("after3-canary", #""userId":"canary-user""#)
                    _ = try await api.send("PUT", "/api/installations/canary-device", phone)
                    let job = Self.canaryJob(#"{"users":["canary-user"]}"#)
                    try await stage.withWorkers { () async throws in
                        try await stage.publish([job])
                        try await stage.expect(1, "SELECT count(*) FROM dispatcher.retry")
                        #expect(try await api.send("DELETE", "/api/users/canary-user").status == 202)
                        try await isDone(api)
                        try await stage.expect(0, "SELECT count(*) FROM dispatcher.retry")
                        try await stage.expectQuiet()
                    }
                    #expect(try stage.witness.lines().isEmpty)
                    #expect(try await traces(Self.canaries, in: stage.database) == [])
                    let open = try await stage.database.count(
                        "SELECT count(*) FROM dispatcher.delivery WHERE state = 1"
                    )
                    #expect(open == 0)
                }
            }
        }

        @Test("the command erases too, and says no to a hub that does not exist")
        func command() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("canary-device", user: Self.user, channel: Self.token), Device("other"),
                ])
                let wrong = try await Program.run(
                    ["users", "erase", "x", "--hub", "y"],
                    environment: stage.environment()
                )
                #expect(wrong.exit == .status(1) && wrong.errors.contains("no hub"), "\(wrong.errors)")
                let run = try await Program.run(["users", "erase", Self.user], environment: stage.environment())
                #expect(run.exit == .status(0) && run.output.contains("waiting"), "\(run.errors)")
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.installation") == 1)
                try await stage.withWorkers {
                    try await stage.expect(
                        1,
                        "SELECT count(*) FROM dashboard.erasures WHERE state = 'done'",
                        within: .seconds(40)
                    )
                }
                #expect(try await traces(Self.canaries, in: stage.database) == [])
            }
        }

        @Test("without a broker the erasure is entered all the same, and a worker sees to the markers")
        func unmarked() async throws {
            try await Stage.with { stage in
                try await stage.withAPI(["DISPATCHER_AMQP_URL": "amqp://guest:guest@127.0.0.1:1/%2f"]) {
                    (api: APIClient) async throws in
                    _ = try await api.send(
                        "PUT",
                        "/api/installations/p",
                        Stage.phone(Self.token, #""userId":"canary-user""#)
                    )
                    #expect(try await api.send("DELETE", "/api/users/canary-user").status == 202)
                    #expect(try await api.send("GET", "/api/installations/p").status == 404)
                    try await stage.withWorkers { try await isDone(api) }
                }
                #expect(try await traces(Self.canaries, in: stage.database) == [])
            }
        }

        @Test("only who may manage erases, only in the own hub, and an unknown erasure is not found")
        func rights() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.addKey("sender", rights: [.listen, .send])
                    try await stage.addKey("theirs", rights: .manage, hub: "other")
                    _ = try await api.send(
                        "PUT",
                        "/api/installations/p",
                        Stage.phone("ok-1", #""userId":"canary-user""#)
                    )
                    let sender = api.as(.key("sender", Stage.secret))
                    #expect(try await sender.send("DELETE", "/api/users/canary-user").status == 403)
                    #expect(try await sender.send("GET", "/api/users/canary-user/erasure").status == 403)
                    #expect(try await api.send("GET", "/api/users/canary-user/erasure").status == 404)
                    let theirs = api.as(.key("theirs", Stage.secret))
                    #expect(try await theirs.send("DELETE", "/api/users/canary-user").member("installations") == "0")
                    #expect(try await api.send("GET", "/api/users/canary-user/erasure").status == 404)
                    #expect(try await api.send("GET", "/api/installations/p").status == 200)
                    #expect(try await api.send("DELETE", "/api/users/a%0Ab").status == 400)
                }
            }
        }
    }
}
