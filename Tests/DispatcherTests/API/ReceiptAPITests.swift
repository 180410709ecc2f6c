import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What devices report over HTTP; the queries are answered at once, there is no worker.
    @Suite(.timeLimit(.minutes(4))) struct ReceiptAPITests {
        private static let path = "/api/receipts"
        private static let at = #""at":"2026-11-30T08:00:00Z""#

        /// A server, and a phone that has its secret.
        private func play(_ body: (Stage, _ key: APIClient, _ phone: APIClient) async throws -> Void) async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await register("other", api)
                    let secret = try await register("phone", api)
                    try await body(stage, api, api.as(.bearer(secret)))
                }
            }
        }

        private func register(_ id: String, _ api: APIClient) async throws -> String {
            let document = Stage.phone("ok-\(id)", #""userId":"alice""#)
            return try #require(try await api.send("PUT", "/api/installations/\(id)", document).member("secret"))
        }

        private func counts(_ stage: Stage, _ job: Job) async throws -> [String] {
            try await stage.database.texts(
                """
                SELECT fetched::text, displayed::text, read::text, dismissed::text, acted::text, replied::text
                FROM dashboard.notifications WHERE id::text = $1
                """,
                [.text(job.id)]
            ).first ?? []
        }

        private func results(_ answer: APIClient.Answer) throws -> [[String: String]] {
            let object = try JSONSerialization.jsonObject(with: answer.body) as? [String: [[String: String]]]
            return try #require(object?["results"])
        }

        @Test("every kind, by a device for itself and by a key for a device, shows in the views with the answer")
        func kinds() async throws {
            try await play { stage, key, phone in
                let job = Job(to: "{}")
                let number = try await stage.sent(job, to: ["phone", "other"])
                for kind in ["fetched", "displayed", "read", "dismissed"] {
                    let body = #"{"notificationId":"\#(job.id)","kind":"\#(kind)",\#(Self.at)}"#
                    let answer = try await phone.send("POST", Self.path, body)
                    #expect(answer.status == 200 && answer.text == #"{"id":"\#(kind)","status":"added"}"#)
                }
                #expect(try await counts(stage, job) == ["1", "1", "1", "1", "0", "0"])
                let reply = ReceiptBody(
                    "reply",
                    notification: "\(number)",
                    on: "other",
                    more:
                        #","actionId":"comment","text":"See you","response":"dismissAndForwardAction","hub":"default""#
                )
                let action = ReceiptBody("action", of: job, on: "phone", more: #","actionId":"accept""#)
                #expect(try await key.send("POST", Self.path, reply.json).status == 200)
                #expect(try await phone.send("POST", Self.path, action.json).status == 200)
                #expect(try await counts(stage, job) == ["1", "1", "1", "1", "2", "1"])
                let deliveries = try await stage.database.texts(
                    """
                    SELECT installation_id, action, response, (read_at IS NOT NULL)::text, (replied_at IS NOT NULL)::text
                    FROM dashboard.deliveries ORDER BY 1
                    """
                )
                #expect(
                    deliveries == [
                        ["other", "comment", "dismissAndForwardAction", "false", "true"],
                        ["phone", "accept", "", "true", "false"],
                    ]
                )
            }
        }

        @Test("what is reported again is known, in a list, across requests and by message; the first of a kind stays")
        func repeated() async throws {
            try await play { stage, _, phone in
                let job = Job(to: "{}")
                try await stage.sent(job, to: ["phone"])
                func read(_ id: String, _ at: String) -> String {
                    #"{"id":"\#(id)","notificationId":"\#(job.id)","kind":"read","at":"\#(at)"}"#
                }
                let now = ISO8601DateFormatter().string(from: .now - 600)
                let list = [read("r1", now), read("r1", now), read("r2", "2999-01-01T00:00:00Z")].joined(separator: ",")
                let first = try await phone.send("POST", Self.path, #"{"receipts":[\#(list)]}"#)
                #expect(try results(first).map { $0["status"] } == ["added", "known", "added"])
                let again = try await phone.send("POST", Self.path, #"{"receipts":[\#(list)]}"#)
                #expect(try results(again).map { $0["status"] } == ["known", "known", "known"])
                #expect(try await counts(stage, job) == ["0", "0", "1", "0", "0", "0"])
                let times = try await stage.database.texts(
                    """
                    SELECT (read_at = '\(now)')::text,
                           (SELECT string_agg(to_char(device_at AT TIME ZONE 'UTC', 'YYYY'), ',' ORDER BY id) = '\(now.prefix(4)),2999'
                            FROM dashboard.receipts)::text
                    FROM dashboard.deliveries
                    """
                )
                #expect(times == [["true", "true"]])
                try await stage.withWorkers {
                    let same = ReceiptBody("read", of: job, on: "phone", id: "r1")
                    try await stage.publish(
                        [same.json, ReceiptBody("displayed", of: job, on: "phone").json],
                        to: .receipts
                    )
                    try await stage.expect(3, "SELECT count(*) FROM dashboard.receipts")
                }
                #expect(try await counts(stage, job) == ["0", "1", "1", "0", "0", "0"])
            }
        }

        @Test("a device reports for itself only, and cannot tell what was sent to others from what was never sent")
        func wrongDevice() async throws {
            try await play { stage, key, phone in
                let own = Job(to: "{}")
                let foreign = Job(to: "{}")
                try await stage.sent(own, to: ["phone"])
                try await stage.sent(foreign, to: ["other"])
                let other = try await phone.send("POST", Self.path, ReceiptBody("read", of: own, on: "other").json)
                #expect(other.status == 403 && other.member("code") == "forbidden")
                var answers: Set<String> = []
                for job in [foreign, Job(to: "{}")] {
                    for caller in [phone, key] {
                        let answer = try await caller.send(
                            "POST",
                            Self.path,
                            ReceiptBody("read", of: job, on: "phone").json
                        )
                        #expect(answer.status == 404)
                        let instance = try #require(answer.member("instance"))
                        answers.insert(answer.text.replacing(instance, with: ""))
                    }
                }
                #expect(answers.count == 1 && answers.first?.contains("notAddressed") == true)
                let stranger = try await key.send("POST", Self.path, ReceiptBody("read", of: own, on: "nobody").json)
                #expect(stranger.status == 404 && stranger.member("code") == "unknownInstallation")
                let hub = ReceiptBody("read", of: own, on: "phone", more: #","hub":"elsewhere""#)
                #expect(try await phone.send("POST", Self.path, hub.json).member("code") == "otherHub")
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.receipts") == 0)
                // The same letters in another form are another id.
                _ = try await key.send("PUT", "/api/installations/caf%C3%A9", Stage.phone("ok-c1"))
                let twin = try await key.send("PUT", "/api/installations/cafe%CC%81", Stage.phone("ok-c2"))
                let secret = try #require(twin.member("secret"))
                let lookalike = ReceiptBody("read", of: own, on: "caf\u{E9}")
                #expect(try await key.as(.bearer(secret)).send("POST", Self.path, lookalike.json).status == 403)
            }
        }

        @Test("of a list the good ones are taken and each bad one is refused by its place")
        func poison() async throws {
            try await play { stage, _, phone in
                let job = Job(to: "{}")
                try await stage.sent(job, to: ["phone"])
                let bad = [
                    (
                        #"{"id":"a","notificationId":"\#(job.id)","kind":"reply","actionId":"x",\#(Self.at)}"#,
                        "missingMember", ".text"
                    ),
                    (
                        #"{"notificationId":"\#(job.id)","kind":"action","actionId":"x",\#(Self.at)}"#, "missingMember",
                        ".id"
                    ),
                    (#"{"notificationId":"\#(job.id)","kind":"read","at":"yesterday"}"#, "invalidFormat", ".at"),
                    (#"{"notificationId":"x","kind":"read",\#(Self.at)}"#, "invalidFormat", ".notificationId"),
                    (#"{"notificationId":7,"kind":"read",\#(Self.at)}"#, "notAddressed", ".notificationId"),
                    (
                        #"{"notificationId":7,"kind":"read","installationId":"other",\#(Self.at)}"#, "forbidden",
                        ".installationId"
                    ),
                    (#"{"notificationId":7,"kind":"read","hub":"x",\#(Self.at)}"#, "otherHub", ".hub"),
                    (#"{"notificationId":7,"kind":"opened",\#(Self.at)}"#, "outOfRange", ".kind"),
                    (#"{"notificationId":7,"kind":"read","more":1,\#(Self.at)}"#, "unknownMember", ".more"),
                    ("7", "wrongType", ""),
                ]
                let good = #"{"notificationId":"\#(job.id)","kind":"read",\#(Self.at)}"#
                let list = ([good] + bad.map(\.0) + [good.replacing("read", with: "displayed")]).joined(separator: ",")
                let answer = try await phone.send("POST", Self.path, #"{"receipts":[\#(list)]}"#)
                let found = try results(answer)
                #expect(answer.status == 200 && found.count == bad.count + 2)
                #expect(found.first?["status"] == "added" && found.last?["status"] == "added")
                for (index, expected) in bad.enumerated() {
                    let result = found[index + 1]
                    #expect(result["status"] == "refused" && result["code"] == expected.1, "\(expected.0)")
                    #expect(result["path"] == "$.receipts[\(index + 1)]\(expected.2)")
                }
                #expect(try await counts(stage, job) == ["0", "1", "1", "0", "0", "0"])
                let alone = try await phone.send("POST", Self.path, bad[2].0)
                #expect(alone.status == 400 && alone.member("path") == "$.at")
            }
        }

        @Test("many reporters at once: each receipt is added once, whoever else reports it")
        func together() async throws {
            try await play { stage, key, _ in
                let names = (1...20).map { "crowd-\($0)" }
                try await stage.registerCrowd(20)
                let job = Job(to: "{}")
                try await stage.sent(job, to: names)
                let added = try await withThrowingTaskGroup(of: Int.self) { group in
                    for reporter in 0..<24 {
                        group.addTask {
                            let list = names.shuffled().flatMap { name in
                                [
                                    ReceiptBody("read", of: job, on: name, id: "same"),
                                    ReceiptBody("displayed", of: job, on: name),
                                ]
                            }
                            if reporter % 4 == 0 {
                                var count = 0
                                for receipt in list {
                                    let answer = try await key.send("POST", Self.path, receipt.json)
                                    #expect(answer.status == 200)
                                    if answer.member("status") == "added" { count += 1 }
                                }
                                return count
                            }
                            let body = #"{"receipts":[\#(list.map(\.json).joined(separator: ","))]}"#
                            let answer = try await key.send("POST", Self.path, body)
                            return try results(answer).count { $0["status"] == "added" }
                        }
                    }
                    return try await group.reduce(0, +)
                }
                #expect(added == 40)
                #expect(try await counts(stage, job) == ["0", "20", "20", "0", "0", "0"])
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.outbox") == 40)
            }
        }

        @Test("a receipt that is earlier than its delivery's row is taken")
        func early() async throws {
            try await play { stage, _, phone in
                let job = Job(to: #"{"installations":["phone"]}"#)
                try await stage.publish([job])
                try await stage.withWorkers(1, ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:3s"]) {
                    try await stage.expect(atLeast: 1, "SELECT count(*) FROM dispatcher.batch WHERE epoch > 0")
                    let body = #"{"notificationId":"\#(job.id)","kind":"read",\#(Self.at)}"#
                    #expect(try await phone.send("POST", Self.path, body).status == 200)
                    #expect(try await counts(stage, job)[2] == "1")
                    #expect(try await stage.deliveries(job).isEmpty, "the receipt was not early")
                    _ = try await stage.finished(job)
                }
                #expect(
                    try await stage.database.count(
                        "SELECT count(*) FROM dashboard.deliveries WHERE read_at IS NOT NULL"
                    ) == 1
                )
            }
        }

        @Test("the largest that is taken, and what is larger")
        func sizes() async throws {
            try await play { stage, key, phone in
                let job = Job(to: "{}")
                try await stage.sent(job, to: ["phone"])
                func list(_ count: Int) -> String {
                    let all = (0..<count).map { ReceiptBody("read", of: job, on: "phone", id: "r\($0)").json }
                    return #"{"receipts":[\#(all.joined(separator: ","))]}"#
                }
                let full = try await phone.send("POST", Self.path, list(500))
                #expect(try results(full).count { $0["status"] == "added" } == 500)
                let over = try await phone.send("POST", Self.path, list(501))
                #expect(over.status == 400 && over.member("code") == "tooMany")
                #expect(try await phone.send("POST", Self.path, list(0)).member("code") == "outOfRange")
                #expect(try await phone.send("POST", Self.path, #"{"receipts":{}}"#).member("code") == "wrongType")
                let beside = #"{"receipts":[],"at":"2026-11-30T08:00:00Z"}"#
                #expect(try await phone.send("POST", Self.path, beside).member("code") == "unknownMember")
                func reply(_ bytes: Int) -> String {
                    let text =
                        String(repeating: "\u{20AC}", count: bytes / 3) + String(repeating: "x", count: bytes % 3)
                    return ReceiptBody("reply", of: job, on: "phone", more: #","actionId":"a","text":"\#(text)""#).json
                }
                #expect(try await phone.send("POST", Self.path, reply(4_097)).member("code") == "tooLong")
                #expect(try await phone.send("POST", Self.path, reply(4_096)).status == 200)
                #expect(try await stage.database.count("SELECT octet_length(reply) FROM dispatcher.reading") == 4_096)
                let huge = String(repeating: " ", count: 1 << 20) + list(1)
                #expect(try await phone.send("POST", Self.path, huge).status == 413)
                #expect(try await key.as(.nobody).send("POST", Self.path, list(1)).status == 401)
                #expect(try await phone.send("POST", Self.path + "?x=1", list(1)).status == 400)
                try await stage.addKey("sender", rights: .send)
                #expect(try await key.as(.key("sender", Stage.secret)).send("POST", Self.path, list(1)).status == 403)
            }
        }
    }
}
