import Crypto
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// `GET /api/notifications/{id}`.
    @Suite(.timeLimit(.minutes(4))) struct ContentAPITests {
        private static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
        private static let path = "/api/notifications/\(id)"

        /// A content that was sent to the devices of alice.
        private func withContent(
            _ data: Data = Data("0123456789".utf8),
            type: String? = "image/png",
            name: String? = "photo.png",
            _ body: (Stage, APIClient, APIClient) async throws -> Void
        ) async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    _ = try await api.device("tablet", user: "alice")
                    try await api.ready()
                    let upload = APIClient.Upload(data: data, type: type, name: name)
                    let sent = try await phone.upload(#"{"id":"\#(Self.id)","type":"img"}"#, upload)
                    try #require(sent.status == 202, "\(sent.text)")
                    try await stage.withWorkers { try await stage.expectAccepted(Self.id) }
                    try await body(stage, api, phone)
                }
            }
        }

        @Test("recipients fetch it by the job's id and by the number, with all that a cache needs")
        func fields() async throws {
            try await withContent { stage, api, phone in
                let number = try await stage.number(of: Self.id)
                let sum = Data(try SHA256.digest(of: Array("0123456789".utf8)))
                for path in [
                    Self.path,
                    Self.path.uppercased().replacingOccurrences(of: "/API/NOTIFICATIONS", with: "/api/notifications"),
                    "/api/notifications/\(number)",
                ] {
                    let got = try await phone.send("GET", path)
                    #expect(got.status == 200 && got.text == "0123456789", "\(got.headers)")
                    #expect(got["Content-Type"] == "image/png" && got["Content-Length"] == "10")
                    #expect(got["ETag"] == "\"\(Base64URL.encode(Array(sum)))\"" && got["Accept-Ranges"] == "bytes")
                    #expect(
                        got["Cache-Control"] == "private, max-age=86400, immutable" && got["Vary"] == "Authorization"
                    )
                    #expect(got["Repr-Digest"] == "sha-256=:\(sum.base64EncodedString()):")
                    #expect(got["X-Content-Type-Options"] == "nosniff")
                    #expect(got["Content-Disposition"] == "inline; filename=\"photo.png\"")
                    #expect(got["Content-Security-Policy"] == "default-src 'none'; sandbox; frame-ancestors 'none'")
                    let head = try await phone.send("HEAD", path)
                    #expect(head.status == 200 && head.body.isEmpty && head["Content-Length"] == "10")
                }
            }
        }

        @Test("parts are answered by ranges, and what is there already by 304")
        func ranges() async throws {
            try await withContent { stage, api, phone in
                let cases: [(String, Int, String, String?)] = [
                    ("bytes=0-0", 206, "0", "bytes 0-0/10"), ("bytes=2-4", 206, "234", "bytes 2-4/10"),
                    ("bytes=7-", 206, "789", "bytes 7-9/10"), ("bytes=-2", 206, "89", "bytes 8-9/10"),
                    ("bytes=5-99", 206, "56789", "bytes 5-9/10"), ("bytes=10-", 416, "", "bytes */10"),
                    ("bytes=0-1,3-4", 200, "0123456789", nil), ("lines=1-2", 200, "0123456789", nil),
                ]
                for (range, status, text, field) in cases {
                    let got = try await phone.send("GET", Self.path, nil, ["Range": range])
                    #expect(
                        got.status == status && got.text == text && got["Content-Range"] == field,
                        "\(range): \(got.headers)"
                    )
                }
                let tag = try #require(try await phone.send("GET", Self.path)["ETag"])
                let same = try await phone.send("GET", Self.path, nil, ["If-None-Match": tag])
                #expect(same.status == 304 && same.body.isEmpty && same["ETag"] == tag)
                #expect(same["Cache-Control"] == "private, max-age=86400, immutable")
                #expect(try await phone.send("GET", Self.path, nil, ["If-None-Match": "\"x\""]).status == 200)
                #expect(try await phone.send("GET", Self.path, nil, ["If-Match": "\"x\""]).status == 412)
                let part = try await phone.send("GET", Self.path, nil, ["Range": "bytes=2-4", "If-Range": tag])
                #expect(part.status == 206)
                let whole = try await phone.send("GET", Self.path, nil, ["Range": "bytes=2-4", "If-Range": "\"x\""])
                #expect(whole.status == 200)
            }
        }

        @Test("only recipients and services of the hub that may listen get it; everybody else gets 404")
        func access() async throws {
            try await withContent { stage, api, phone in
                let unknown = try await phone.send("GET", "/api/notifications/0193f2c4-7d1e-7abc-8def-0123456789ff")
                #expect(unknown.status == 404)
                func isNotFound(_ client: APIClient, _ path: String = Self.path) async throws -> Bool {
                    let answer = try await client.send("GET", path)
                    // The same words as for what does not exist.
                    return answer.status == 404 && answer.member("detail") == unknown.member("detail")
                        && answer.member("code") == unknown.member("code")
                }
                let stranger = try await api.device("stranger", user: "bob")
                let nobody = try await api.device("nobody", user: nil)
                let later = try await api.device("later", user: "alice")
                let number = try await stage.number(of: Self.id)
                for path in [Self.path, "/api/notifications/\(number)"] {
                    #expect(try await isNotFound(stranger, path))
                    #expect(try await isNotFound(nobody, path))
                    // Another device of the user, also one that was not there when it was sent.
                    #expect(try await later.send("GET", path).status == 200)
                }
                for client in [stranger, nobody] {
                    #expect(try await client.send("POST", Self.path + "/link").status == 404)
                }
                try await stage.addKey("theirs", rights: .manage, hub: "other")
                let theirs = api.as(.key("theirs", Stage.secret))
                #expect(try await isNotFound(theirs))
                #expect(try await isNotFound(theirs, "/api/notifications/\(number)"))
                #expect(try await theirs.send("POST", Self.path + "/link").status == 404)
                let cousin = try await theirs.device("phone", user: "alice")
                #expect(try await isNotFound(cousin))
                try await stage.addKey("ears", rights: .listen)
                try await stage.addKey("mouth", rights: .send)
                #expect(try await api.as(.key("ears", Stage.secret)).send("GET", Self.path).status == 200)
                #expect(try await api.as(.key("mouth", Stage.secret)).send("GET", Self.path).status == 403)
                #expect(try await api.as(.nobody).send("GET", Self.path).status == 401)
                for id in ["x", "0", "-1", "01", "9007199254740992", "1e3", "%20"] {
                    #expect(try await phone.send("GET", "/api/notifications/\(id)").status == 404, "\(id)")
                }
                #expect(try await phone.send("GET", Self.path + "?extra=1").status == 400)
            }
        }

        @Test("who is erased from a notification takes no content from the others")
        func erasure() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    _ = try await api.device("other", user: "bob")
                    try await api.ready()
                    let notification = #"{"id":"\#(Self.id)","to":{"users":["alice","bob"]}}"#
                    let upload = APIClient.Upload(data: Data("for both".utf8))
                    try #require(try await api.upload(notification, upload).status == 202)
                    try await stage.withWorkers { () async throws in
                        try await stage.expectAccepted(Self.id)
                        #expect(try await api.send("DELETE", "/api/users/bob").status == 202)
                        let done = "SELECT count(*) FROM dashboard.erasures WHERE state = 'done' AND notifications = 1"
                        try await stage.expect(1, done, within: .seconds(60))
                    }
                    let got = try await phone.send("GET", Self.path)
                    #expect(got.status == 200 && got.text == "for both")
                }
            }
        }

        @Test("who gets a device after somebody else does not get what was sent to it before")
        func handover() async throws {
            try await withContent { (_: Stage, api: APIClient, phone: APIClient) async throws in
                #expect(try await phone.send("GET", Self.path).status == 200)
                let bobs = Stage.phone("ok-phone", #""userId":"bob""#)
                #expect(try await api.send("PUT", "/api/installations/phone", bobs).status == 200)
                #expect(try await phone.send("GET", Self.path).status == 404)
                #expect(try await phone.send("POST", Self.path + "/link").status == 404)
                let alices = Stage.phone("ok-phone", #""userId":"alice""#)
                #expect(try await api.send("PUT", "/api/installations/phone", alices).status == 200)
                #expect(try await phone.send("GET", Self.path).status == 200, "it stands in her inbox")
            }
        }

        @Test("nobody puts a content to another's notification by knowing its id")
        func injection() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let (alice, bob) = (
                        try await api.device("alice", user: "alice"), try await api.device("bob", user: "bob")
                    )
                    try await api.ready()
                    let job = Job(to: #"{"broadcast":true}"#, content: #"{"title":"t","rich":{}}"#, id: Self.id)
                    let upload = APIClient.Upload(data: Data("theirs".utf8))
                    // Before the job is known, so that nothing can refuse it.
                    #expect(try await bob.upload(#"{"id":"\#(Self.id)"}"#, upload).status == 202)
                    try await Servers.purgeQueues()
                    try await stage.withWorkers {
                        try await stage.publish([job])
                        try await stage.expectAccepted(Self.id)
                    }
                    for client in [alice, bob, api] { #expect(try await client.send("GET", Self.path).status == 404) }
                    #expect(try await bob.upload(#"{"id":"\#(Self.id)"}"#, upload).status == 409)
                    try await stage.database.execute("DELETE FROM dispatcher.content")
                    #expect(try await bob.upload(#"{"id":"\#(Self.id)"}"#, upload).status == 409)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 0)
                }
            }
        }

        @Test("who has it in hand fetches it before the delivery is recorded")
        func inFlight() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    let stranger = try await api.device("stranger", user: "bob")
                    let picture = #"{"type":"image/gif","data":"R0lGODlhAQABAAAAACw="}"#
                    try await stage.database.execute(
                        "UPDATE dispatcher.installation SET push_channel = 'hang-1' WHERE installation_id = 'phone'"
                    )
                    let job = Job(
                        to: #"{"users":["alice"]}"#,
                        content: #"{"rich":{"content":\#(picture)}}"#,
                        id: Self.id
                    )
                    try await stage.withWorkers(1, ["DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "3"]) {
                        try await stage.publish([job])
                        try await stage.expect(1, "SELECT count(*) FROM dispatcher.batch WHERE epoch > 0")
                        #expect(try await phone.send("GET", Self.path).status == 200)
                        #expect(try await stranger.send("GET", Self.path).status == 404)
                        #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.delivery") == 0)
                    }
                }
            }
        }

        @Test("what a browser could run is saved as a file, never shown")
        func dispositions() async throws {
            let types = [
                "attachment": [
                    "text/html", "image/svg+xml", "application/xhtml+xml", "text/xml", "application/javascript", "x/y",
                    "text/javascript", "application/pdf", "TEXT/HTML; charset=utf-8", "text/css", "multipart/related",
                    "application/octet-stream",
                ],
                "inline": [
                    "image/png", "image/gif", "image/jpeg", "audio/mpeg", "video/mp4", "text/plain; charset=utf-8",
                ],
            ]
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let data = Data("<script>alert(1)</script>".utf8)
                    for (kind, types) in types {
                        for type in types {
                            let upload = APIClient.Upload(data: data, type: type, name: nil)
                            let sent = try await api.upload(#"{"to":{"broadcast":true}}"#, upload)
                            let got = try await api.send("GET", try #require(sent["Location"]))
                            #expect(got.status == 200 && got["Content-Type"] == type, "\(got.headers)")
                            #expect(got["Content-Disposition"] == kind, "\(type)")
                            #expect(got["X-Content-Type-Options"] == "nosniff")
                            #expect(got["Content-Security-Policy"]?.contains("sandbox") == true)
                        }
                    }
                }
            }
        }

        @Test("a url leads where it says")
        func address() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    let rich = #"{"rich":{"url":"https://example.com/a?b=c"}}"#
                    let job = Job(to: #"{"users":["alice"]}"#, content: rich, id: Self.id)
                    try await stage.withWorkers {
                        try await stage.publish([job])
                        try await stage.expectAccepted(Self.id)
                    }
                    for method in ["GET", "HEAD"] {
                        let got = try await phone.send(method, Self.path)
                        #expect(got.status == 303 && got["Location"] == "https://example.com/a?b=c" && got.body.isEmpty)
                    }
                    let link = try #require(try await phone.send("POST", Self.path + "/link").member("url"))
                    #expect(try await api.as(.nobody).send("GET", link).status == 303)
                }
            }
        }

        @Test("a device's fetch is a receipt, once; a look at the head and a service's are none")
        func receipts() async throws {
            try await withContent { stage, api, phone in
                let fetched = "SELECT count(*) FROM dashboard.deliveries WHERE fetched_at IS NOT NULL"
                #expect(try await api.send("GET", Self.path).status == 200)
                #expect(try await phone.send("HEAD", Self.path).status == 200)
                for _ in 1...3 { #expect(try await phone.send("GET", Self.path).status == 200) }
                try await stage.expect(1, fetched)
                let receipts = try await stage.database.texts("SELECT installation_id, kind FROM dashboard.receipts")
                #expect(receipts == [["phone", "fetched"]])
            }
        }

        @Test("many devices fetch many contents at once, each its own")
        func crowd() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    var phones: [APIClient] = []
                    for number in 0..<8 { phones.append(try await api.device("p\(number)", user: "u\(number)")) }
                    var ids: [String] = []
                    for number in 0..<8 {
                        let size = number % 2 == 0 ? 10 : 200_000
                        let upload = APIClient.Upload(data: Data(repeating: UInt8(number), count: size))
                        ids.append(try #require(try await phones[number].upload("{}", upload).member("id")))
                    }
                    let (sent, clients) = (ids, phones)
                    try await stage.withWorkers { for id in sent { try await stage.expectAccepted(id) } }
                    let wrong = try await withThrowingTaskGroup(of: String?.self) { group in
                        for turn in 0..<64 {
                            group.addTask {
                                let (who, what) = (turn % 8, turn / 8)
                                let got = try await clients[who].send("GET", "/api/notifications/\(sent[what])")
                                let isRight =
                                    who == what
                                    ? got.status == 200
                                        && got.body == Data(repeating: UInt8(what), count: what % 2 == 0 ? 10 : 200_000)
                                    : got.status == 404
                                return isRight ? nil : "\(who) got \(what): \(got.status)"
                            }
                        }
                        return try await group.reduce(into: [String]()) { if let found = $1 { $0.append(found) } }
                    }
                    #expect(wrong == [])
                }
            }
        }
    }
}
