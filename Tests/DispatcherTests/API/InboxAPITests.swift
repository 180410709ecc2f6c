import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct InboxAPITests {
        private static let kept = #"{"inbox":true}"#

        /// A job for alice that is kept.
        private static func job(_ title: String, thread: String? = nil, more: String = "", to: String = "alice") -> Job
        {
            let thread = thread.map { #","thread":"\#($0)""# } ?? ""
            return Job(
                to: #"{"users":["\#(to)"]}"#,
                content: #"{"title":"\#(title)"\#(thread)\#(more)}"#,
                options: kept
            )
        }

        /// Sends the jobs one after another, so that inboxes have them in this order.
        private static func send(_ jobs: [Job], _ stage: Stage) async throws {
            for job in jobs {
                try await stage.publish([job])
                _ = try await stage.finished(job)
            }
        }

        private static func object(_ answer: APIClient.Answer) throws -> JSONValue {
            try JSONParser.parse(Array(answer.body))
        }

        private static func titles(_ page: JSONValue) -> [String] {
            (page["items"]?.elements ?? []).map { $0["content"]?["title"]?.string ?? "?" }
        }

        private static func count(_ value: JSONValue?) -> Int64? {
            guard case .number(let number)? = value else { return nil }
            return number.int64
        }

        @Test("an inbox is read page by page, by thread and by what is unread, with the counts of the same moment")
        func pages() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("a1", user: "alice"), Device("b1", user: "bob")])
                let jobs = (1...5).map { Self.job("n\($0)", thread: $0 % 2 == 0 ? "even" : nil) }
                try await stage.withWorkers { try await Self.send(jobs + [Self.job("his", to: "bob")], stage) }
                try await stage.withAPI { (api: APIClient) async throws in
                    func page(_ query: String) async throws -> JSONValue {
                        let answer = try await api.send("GET", "/api/inbox?user=alice\(query)")
                        #expect(answer.status == 200)
                        return try Self.object(answer)
                    }
                    let first = try await page("&limit=2")
                    #expect(Self.titles(first) == ["n5", "n4"])
                    #expect(Self.count(first["unread"]?["total"]) == 5)
                    #expect(first["unread"]?["threads"] == (try JSONParser.parse(Array(#"{"even":2}"#.utf8))))
                    let item = try #require(first["items"]?.elements?.last)
                    #expect(item["id"]?.string == jobs[3].id && item["thread"] == .string("even"))
                    #expect(item["readAt"] == .null && item["createdAt"]?.string != nil)
                    let number = try #require(Self.count(item["number"]))
                    let second = try await page("&limit=2&after=\(try #require(first["next"]?.string))")
                    #expect(Self.titles(second) == ["n3", "n2"])
                    let third = try await page("&limit=2&after=\(try #require(second["next"]?.string))")
                    #expect(Self.titles(third) == ["n1"] && third["next"] == nil)
                    #expect(Self.titles(try await page("&thread=even")) == ["n4", "n2"])
                    // By its number as well as by its id.
                    let read = try await api.send("POST", "/api/notifications/\(number)/read?user=alice")
                    #expect(read.status == 200 && read.text == #"{"read":1,"unread":4}"#)
                    #expect(Self.titles(try await page("&unread=true")) == ["n5", "n3", "n2", "n1"])
                    #expect(Self.titles(try await page("&unread=true&thread=even")) == ["n2"])
                    #expect(try await page("")["items"]?.elements?[1]["readAt"]?.string != nil)
                    #expect(Self.titles(try Self.object(try await api.send("GET", "/api/inbox?user=bob"))) == ["his"])
                    let none = try await api.send("GET", "/api/inbox?user=nobody")
                    #expect(none.text == #"{"items":[],"unread":{"total":0,"threads":{}}}"#)
                }
            }
        }

        @Test("an item holds what was sent in the sender's words, and of rich content not the bytes")
        func content() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("a1", user: "alice")])
                let to = #"{"users":["alice"]}"#
                let texts = #"{"title":"Hi","localizations":{"de":{"title":"Hallo"}},"data":{"n":7}}"#
                let rich = #"{"rich":{"message":"Look","content":{"type":"image/png","data":"AAAA"}}}"#
                let native = #"{"apns":{"aps":{"alert":"a","thread-id":"t"}}}"#
                let jobs = [
                    Job(to: to, content: texts, options: Self.kept), Job(to: to, content: rich, options: Self.kept),
                    Job(to: to, content: native, kind: "native", options: Self.kept),
                    Job(to: to, content: #"{"who":"Bob"}"#, kind: "template", options: Self.kept),
                ]
                try await stage.withWorkers { try await Self.send(jobs, stage) }
                try await stage.withAPI { (api: APIClient) async throws in
                    let page = try Self.object(try await api.send("GET", "/api/inbox?user=alice"))
                    let items = try #require(page["items"]?.elements)
                    try #require(items.count == 4)
                    #expect(items[3]["content"] == (try JSONParser.parse(Array(texts.utf8))))
                    let plain = #"{"rich":{"message":"Look","content":{"type":"image/png"}}}"#
                    #expect(items[2]["content"] == (try JSONParser.parse(Array(plain.utf8))))
                    #expect(items[1]["native"] == (try JSONParser.parse(Array(native.utf8))))
                    #expect(items[1]["thread"] == .string("t"))
                    #expect(items[0]["template"]?["who"] == .string("Bob"))
                }
            }
        }

        @Test("a device reads its own user's inbox and marks it; the read is a receipt of that device")
        func device() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    func register(_ id: String, _ user: String?) async throws -> APIClient {
                        let owner = user.map { #""userId":"\#($0)""# } ?? ""
                        let answer = try await api.send(
                            "PUT",
                            "/api/installations/\(id)",
                            Stage.phone("ok-\(id)", owner)
                        )
                        return api.as(.device(id, try #require(answer.member("secret"))))
                    }
                    let (a1, b1) = (try await register("a1", "alice"), try await register("b1", "bob"))
                    let nobody = try await register("x1", nil)
                    let jobs = [Self.job("one"), Self.job("two")]
                    let direct = Job(to: #"{"installations":["x1"]}"#)
                    try await stage.withWorkers { try await Self.send(jobs + [direct], stage) }
                    // Later than the jobs: it was sent neither, but its user has both.
                    let a2 = try await register("a2", "alice")

                    let path = "/api/notifications/\(jobs[0].id)/read"
                    #expect(try await b1.send("POST", path).status == 404)
                    #expect(try await nobody.send("POST", path).status == 404)
                    #expect(try await a1.send("POST", path).text == #"{"read":1,"unread":1}"#)
                    #expect(try await a1.send("POST", path).text == #"{"read":0,"unread":1}"#)
                    #expect(try await a2.send("POST", path).text == #"{"read":0,"unread":1}"#)
                    #expect(
                        try await a2.send("POST", "/api/notifications/\(jobs[1].id)/read").text.contains(#""read":1"#)
                    )
                    #expect(
                        try await stage.database.texts(
                            """
                            SELECT installation_id FROM dashboard.deliveries
                            WHERE read_at IS NOT NULL AND notification_id = '\(jobs[0].id)'
                            """
                        ) == [["a1"]]
                    )
                    #expect(
                        try await stage.database.count(
                            "SELECT count(*) FROM dashboard.deliveries WHERE read_at IS NOT NULL"
                        )
                            == 1
                    )
                    // Sent to a device that nobody uses: a receipt and no inbox.
                    let alone = try await nobody.send("POST", "/api/notifications/\(direct.id)/read")
                    #expect(alone.text == #"{"read":0,"unread":0}"#)
                    #expect(try await nobody.send("GET", "/api/inbox").text.contains(#""items":[]"#))
                    #expect(Self.titles(try Self.object(try await a1.send("GET", "/api/inbox"))) == ["two", "one"])
                    #expect(try await a1.send("GET", "/api/inbox?user=alice").status == 200)
                    #expect(try await a1.send("GET", "/api/inbox?user=bob").status == 403)
                    #expect(try await nobody.send("GET", "/api/inbox?user=alice").status == 403)
                }
            }
        }

        @Test("three devices that read at once, by request and by message, have read it once")
        func together() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    var devices: [APIClient] = []
                    for id in ["a1", "a2", "a3"] {
                        let body = Stage.phone("ok-\(id)", #""userId":"alice""#)
                        let answer = try await api.send("PUT", "/api/installations/\(id)", body)
                        devices.append(api.as(.device(id, try #require(answer.member("secret")))))
                    }
                    let jobs = (1...8).map { Self.job("n\($0)") }
                    try await stage.withWorkers {
                        try await stage.publish(jobs)
                        for job in jobs { _ = try await stage.finished(job) }
                        let receipts = jobs.flatMap { job in
                            ["a1", "a2", "a3"].map {
                                ReceiptBody("action", of: job, on: $0, more: #","actionId":"x""#).json
                            }
                        }
                        async let messages: Void = stage.publish(receipts, to: .receipts)
                        let marked = try await withThrowingTaskGroup(of: Int64.self) { group in
                            for job in jobs.dropLast() {
                                for device in devices {
                                    group.addTask {
                                        let answer = try await device.send("POST", "/api/notifications/\(job.id)/read")
                                        return Self.count(try Self.object(answer)["read"]) ?? 0
                                    }
                                }
                            }
                            return try await group.reduce(0, +)
                        }
                        try await messages
                        #expect(marked <= 7)
                        try await stage.expect(8, "SELECT count(*) FROM dispatcher.inbox WHERE read_at IS NOT NULL")
                        try await stage.expect(24, "SELECT count(*) FROM dispatcher.receipt WHERE kind = 5")
                    }
                    #expect(try await stage.unread("alice") == 0)
                    let read = try await stage.database.count("SELECT sum(read)::int8 FROM dashboard.notifications")
                    #expect(read == 21)
                }
            }
        }

        @Test("all is marked, or one thread, as far as a notification or to the end")
        func extent() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let body = Stage.phone("ok-a1", #""userId":"alice""#)
                    let secret = try #require(try await api.send("PUT", "/api/installations/a1", body).member("secret"))
                    let jobs = (1...6).map { Self.job("n\($0)", thread: $0 % 2 == 0 ? "even" : nil) }
                    try await stage.withWorkers { try await Self.send(jobs, stage) }
                    let path = "/api/inbox/read"
                    func read(_ body: String, _ client: APIClient? = nil) async throws -> String {
                        let query = client == nil ? "?user=alice" : ""
                        return try await (client ?? api).send("POST", path + query, body).text
                    }
                    #expect(try await read(#"{"upTo":"\#(jobs[1].id)"}"#) == #"{"read":2,"unread":4}"#)
                    #expect(try await read(#"{"thread":"even","upTo":"\#(jobs[4].id)"}"#) == #"{"read":1,"unread":3}"#)
                    #expect(try await read(#"{"thread":"none"}"#) == #"{"read":0,"unread":3}"#)
                    #expect(try await read("{}", api.as(.device("a1", secret))) == #"{"read":3,"unread":0}"#)
                    #expect(
                        try await stage.database.count(
                            "SELECT count(*) FROM dashboard.deliveries WHERE read_at IS NOT NULL"
                        )
                            == 3
                    )
                    #expect(try await read("{}") == #"{"read":0,"unread":0}"#)
                    for (body, status) in [
                        (#"{"upTo":"0193f2c4-7d1e-7abc-8def-0123456789ab"}"#, 404), (#"{"upTo":true}"#, 400),
                        (#"{"thread":""}"#, 400), (#"{"thread":7}"#, 400), (#"{"to":1}"#, 400), ("[]", 400),
                    ] {
                        #expect(try await api.send("POST", path + "?user=alice", body).status == status, "\(body)")
                    }
                    #expect(try await api.send("POST", path, "{}").status == 400)
                }
            }
        }

        @Test("what is no question about an inbox is refused by name")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    for query in [
                        "", "?user=", "?user=a&limit=0", "?user=a&limit=201", "?user=a&limit=x", "?user=a&unread=1",
                        "?user=a&after=1", "?user=a&after=1.-1", "?user=a&after=01.1", "?user=a&thread=", "?user=a&x=1",
                        "?user=a&after=9223372036854775807.1", "?user=a&user=b",
                    ] {
                        #expect(try await api.send("GET", "/api/inbox" + query).status == 400, "\(query)")
                    }
                    #expect(try await api.send("POST", "/api/notifications/x/read?user=a").status == 404)
                    #expect(try await api.send("POST", "/api/notifications/7/read?user=a").status == 404)
                    #expect(try await api.send("POST", "/api/notifications/7/read").status == 400)
                    try await stage.addKey("sender", rights: .send)
                    let sender = api.as(.key("sender", Stage.secret))
                    #expect(try await sender.send("GET", "/api/inbox?user=a").status == 403)
                }
            }
        }
    }
}
