import AMQP
import Crypto
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// `POST /api/notifications`.
    @Suite(.timeLimit(.minutes(4))) struct ContentUploadTests {
        private static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
        private static let mebibyte = 1024 * 1024
        private static let toAll = #"{"to":{"broadcast":true}}"#

        @Test(
            "a content of any length comes back as it was",
            arguments: [0, 1, 10_240, 32_768, 65_537, 262_144, 262_145]
        )
        func lengths(count: Int) async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let data = APIClient.octets(count)
                    let sent = try await api.upload(Self.toAll, APIClient.Upload(data: data))
                    try #require(sent.status == 202, "\(sent.text)")
                    let sum = try SHA256.digest(of: Array(data)).hexadecimal
                    #expect(sent.member("checksum") == sum && sent.member("length") == "\(count)")
                    let path = try #require(sent["Location"])
                    #expect(path == "/api/notifications/\(sent.member("id") ?? "")")
                    let got = try await api.send("GET", path)
                    #expect(got.status == 200 && got.body == data)
                    #expect(got["Content-Type"] == "image/png" && got["Content-Length"] == "\(count)")
                    let stored = try await stage.database.texts(
                        "SELECT encode(checksum, 'hex'), length::text FROM dispatcher.content"
                    )
                    #expect(stored == [[sum, "\(count)"]])
                }
            }
        }

        @Test("10 MiB are taken as a form, and one octet more is too much")
        func greatestForm() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let data = APIClient.octets(10 * Self.mebibyte)
                    let sent = try await api.upload(Self.toAll, APIClient.Upload(data: data))
                    try #require(sent.status == 202, "\(sent.text)")
                    let got = try await api.send("GET", try #require(sent["Location"]))
                    #expect(got.status == 200 && got.body == data)
                    let refused = try await api.upload(Self.toAll, APIClient.Upload(data: data + Data([0])))
                    #expect(refused.status == 413 && refused.member("code") == "bodyTooLarge", "\(refused.text)")
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 1)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content_chunk") == 40)
                }
            }
        }

        @Test("10 MiB are taken as a document, and one octet more is too much")
        func greatestDocument() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let data = Data(count: 10 * Self.mebibyte)
                    func send(_ data: Data) async throws -> APIClient.Answer {
                        let content = #"{"type":"a/b","data":"\#(data.base64EncodedString())","name":"zeros"}"#
                        let body = #"{"notification":\#(Self.toAll),"content":\#(content)}"#
                        return try await api.send("POST", "/api/notifications", body)
                    }
                    let sent = try await send(data)
                    try #require(sent.status == 202, "\(sent.text)")
                    let got = try await api.send("GET", try #require(sent["Location"]))
                    #expect(got.status == 200 && got.body == data)
                    let refused = try await send(data + Data([0]))
                    #expect(refused.status == 413 && refused.member("path") == "content", "\(refused.text)")
                }
            }
        }

        @Test("the device's own user gets a silent push with the number, the message and the type")
        func ownUser() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    _ = try await api.device("tablet", user: "alice")
                    _ = try await api.device("other", user: "bob")
                    let body = #"{"id":"\#(Self.id)","message":"Check this image out!","type":"img"}"#
                    let sent = try await phone.upload(body, APIClient.Upload(data: Data([1, 2, 3])))
                    try #require(sent.status == 202, "\(sent.text)")
                    try await stage.withWorkers { try await stage.expectAccepted(Self.id) }
                    let payloads = try stage.payloads(of: Self.id)
                    #expect(Set(payloads.keys) == ["phone", "tablet"])
                    let number = try await stage.number(of: Self.id)
                    let expected =
                        #"{"aps":{"content-available":1},"richId":\#(number),"richMessage":"Check this image out!","#
                        + #""richType":"img","notificationId":"\#(Self.id)"}"#
                    #expect(
                        payloads["phone"].map { String(decoding: JSONWriter.encode($0), as: UTF8.self) } == expected
                    )
                    let got = try await phone.send("GET", "/api/notifications/\(number)")
                    #expect(got.status == 200 && got.body == Data([1, 2, 3]) && got["Content-Type"] == "image/png")
                }
            }
        }

        @Test("a device sends to nobody else, and without a user to nobody")
        func otherTargets() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    let file = APIClient.Upload(data: Data([1]))
                    for target in [
                        #"{"broadcast":true}"#, #"{"users":["bob"]}"#, #"{"users":["alice","bob"]}"#, #"{"tags":"a"}"#,
                    ] {
                        let refused = try await phone.upload(#"{"to":\#(target)}"#, file)
                        #expect(refused.status == 403, "\(refused.text)")
                    }
                    #expect(try await phone.upload(#"{"to":{"users":["alice"]}}"#, file).status == 202)
                    let nobody = try await api.device("nobody", user: nil)
                    #expect(try await nobody.upload("{}", file).status == 403)
                    try await stage.addKey("ears", rights: .listen)
                    #expect(try await api.as(.key("ears", Stage.secret)).upload(Self.toAll, file).status == 403)
                    #expect(try await api.as(.nobody).upload(Self.toAll, file).status == 401)
                }
            }
        }

        @Test("the same request by the same id is the same notification; another content is a conflict")
        func repetition() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    let body = #"{"id":"\#(Self.id)","type":"img"}"#
                    for _ in 1...3 {
                        #expect(try await phone.upload(body, APIClient.Upload(data: Data([1, 2]))).status == 202)
                    }
                    let other = try await phone.upload(body, APIClient.Upload(data: Data([1, 3])))
                    #expect(other.status == 409 && other.member("code") == "conflictingContent", "\(other.text)")
                    let type = try await phone.upload(body, APIClient.Upload(data: Data([1, 2]), type: "text/html"))
                    #expect(type.status == 409)
                    try await stage.withWorkers {
                        try await stage.expectAccepted(Self.id)
                        try await stage.expectQuiet()
                    }
                    #expect(try await stage.database.count("SELECT count(*) FROM dashboard.notifications") == 1)
                    #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
                }
            }
        }

        @Test("many uploads of one id at once make one content")
        func race() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let body = #"{"id":"\#(Self.id)","to":{"broadcast":true}}"#
                    let codes = try await withThrowingTaskGroup(of: Int.self) { group in
                        for number in 0..<12 {
                            group.addTask {
                                try await api.upload(
                                    body,
                                    APIClient.Upload(data: Data(repeating: UInt8(number % 2), count: 300_000))
                                ).status
                            }
                        }
                        return try await group.reduce(into: []) { $0.append($1) }
                    }
                    #expect(codes.filter { $0 == 202 }.count == 6 && codes.filter { $0 == 409 }.count == 6, "\(codes)")
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content_chunk") == 2)
                }
            }
        }

        @Test("a checksum that is not the content's is refused, whether of the part or of the whole body")
        func checksums() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let data = Data("content".utf8)
                    func digest(_ data: Data) throws -> String {
                        "sha-256=:\(Data(try SHA256.digest(of: Array(data))).base64EncodedString()):"
                    }
                    let wrong = try digest(data + data)
                    let right = try digest(data)
                    #expect(try await api.upload(Self.toAll, APIClient.Upload(data: data, digest: right)).status == 202)
                    let others = "sha-512=:AAAA:, \(right)"
                    #expect(
                        try await api.upload(Self.toAll, APIClient.Upload(data: data, digest: others)).status == 202
                    )
                    let refused = try await api.upload(Self.toAll, APIClient.Upload(data: data, digest: wrong))
                    #expect(refused.status == 400 && refused.member("code") == "checksumMismatch", "\(refused.text)")
                    let malformed = try await api.upload(Self.toAll, APIClient.Upload(data: data, digest: "sha-256=x"))
                    #expect(malformed.status == 400 && malformed.member("code") == "invalidFormat")
                    let form = APIClient.form(Self.toAll, APIClient.Upload(data: data))
                    let whole = try digest(form)
                    #expect(
                        try await api.upload(Self.toAll, APIClient.Upload(data: data), ["Content-Digest": whole]).status
                            == 202
                    )
                    let other = try await api.upload(
                        Self.toAll,
                        APIClient.Upload(data: data),
                        ["Content-Digest": wrong]
                    )
                    #expect(other.status == 400 && other.member("code") == "checksumMismatch")
                    let body = #"{"notification":\#(Self.toAll),"content":{"type":"a/b","data":"AQID"}}"#
                    let right2 = ["Content-Digest": try digest(Data(body.utf8))]
                    #expect(try await api.send("POST", "/api/notifications", body, right2).status == 202)
                    #expect(
                        try await api.send("POST", "/api/notifications", body, ["Content-Digest": wrong]).status == 400
                    )
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 4)
                }
            }
        }

        @Test("what is no upload is refused with its place")
        func mistakes() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let file = APIClient.Upload(data: Data([1]))
                    let cases: [(String?, APIClient.Upload?, String, String)] = [
                        (nil, file, "missingMember", "notification"), (Self.toAll, nil, "missingMember", "content"),
                        ("[]", file, "wrongType", "$"), ("{", file, "invalidJSON", "$"),
                        ("{}", file, "missingMember", "$.to"),
                        (#"{"to":{"broadcast":true},"extra":1}"#, file, "unknownMember", "$"),
                        (#"{"to":{"broadcast":true},"message":1}"#, file, "wrongType", "$.message"),
                        (#"{"to":{"broadcast":true},"id":"x"}"#, file, "invalidFormat", "$.id"),
                        (#"{"to":{"broadcast":true},"content":{"rich":{}}}"#, file, "reservedMember", "$.content.rich"),
                        (#"{"to":{"broadcast":true},"content":{"badge":-1}}"#, file, "outOfRange", "$.content.badge"),
                        (#"{"to":{"broadcast":true},"content":1}"#, file, "wrongType", "$.content"),
                        (
                            #"{"to":{"broadcast":true},"options":{"priority":"x"}}"#, file, "outOfRange",
                            "$.options.priority"
                        ),
                        (#"{"to":{"broadcast":true},"hub":"other"}"#, file, "otherHub", "$.hub"),
                        (Self.toAll, APIClient.Upload(data: Data([1]), type: "picture"), "invalidFormat", "content"),
                        (Self.toAll, APIClient.Upload(data: Data([1]), type: "image/*"), "invalidFormat", "content"),
                    ]
                    for (notification, upload, code, path) in cases {
                        let answer = try await api.upload(notification, upload)
                        #expect(answer.member("code") == code && answer.member("path") == path, "\(answer.text)")
                        #expect((400..<500).contains(answer.status))
                    }
                    let bodies = [
                        ("{}", "missingMember", "$.notification"),
                        (#"{"notification":{}}"#, "missingMember", "$.content"),
                        (#"{"notification":1,"content":{}}"#, "wrongType", "$.notification"),
                        (
                            #"{"notification":{},"content":{"type":"a/b","data":"*"}}"#, "invalidFormat",
                            "$.content.data"
                        ),
                        (#"{"notification":{},"content":{"type":"a/b"}}"#, "missingMember", "$.content.data"),
                        (#"{"notification":{},"content":{"type":"a/b","data":"AQ=="},"x":1}"#, "unknownMember", "$"),
                    ]
                    for (body, code, path) in bodies {
                        let answer = try await api.send("POST", "/api/notifications", body)
                        #expect(answer.member("code") == code && answer.member("path") == path, "\(answer.text)")
                    }
                    let text = try await api.send("POST", "/api/notifications", "x", ["Content-Type": "text/plain"])
                    #expect(text.status == 415)
                    let form = ["Content-Type": "multipart/form-data; boundary=b"]
                    #expect(
                        try await api.send("POST", "/api/notifications", "--b\r\nx", form).member("code")
                            == "malformedForm"
                    )
                    let noBoundary = ["Content-Type": "multipart/form-data"]
                    #expect(try await api.send("POST", "/api/notifications", "x", noBoundary).status == 400)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 0)
                    for lane in Lane.allCases {
                        #expect(try await Servers.topology().messageCount(lane.jobsQueue) == 0)
                    }
                }
            }
        }

        @Test("an upload that ends midway leaves nothing")
        func aborted() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    let form = APIClient.form(Self.toAll, APIClient.Upload(data: APIClient.octets(2 * Self.mebibyte)))
                    let token = try APIClient.token("all", Stage.secret, "http://127.0.0.1:\(api.port)/")
                    let head =
                        "POST /api/notifications HTTP/1.1\r\nHost: 127.0.0.1:\(api.port)\r\nAuthorization: \(token)\r\n"
                        + "Content-Type: multipart/form-data; boundary=b-0193f2c4\r\nContent-Length: \(form.count)\r\n\r\n"
                    for count in [0, 100, 40_000, 1_000_000, form.count - 1] {
                        try await HTTPExchange.abandon(Array(head.utf8) + Array(form.prefix(count)), port: api.port)
                    }
                    // The server has seen all of them end once it answers a request that came later.
                    #expect(try await api.send("GET", "/ready").status == 200)
                    let isClean = await eventually { try Self.openSpools() == 0 }
                    #expect(isClean)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 0)
                    #expect(try await Servers.topology().messageCount(Lane.bulk.jobsQueue) == 0)
                }
            }
        }

        @Test("a content whose job could not be published is found again by the same request")
        func unpublished() async throws {
            try await Stage.with { stage in
                let body = #"{"id":"\#(Self.id)","to":{"broadcast":true}}"#
                let file = APIClient.Upload(data: Data([1, 2, 3]))
                let unreachable = ["DISPATCHER_AMQP_URL": "amqp://guest:guest@127.0.0.1:1/"]
                try await stage.withAPI(unreachable) { (api: APIClient) async throws in
                    #expect(try await api.upload(body, file).status == 503)
                }
                let unpublished = "SELECT count(*) FROM dispatcher.content WHERE published_at IS NULL"
                #expect(try await stage.database.count(unpublished) == 1)
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    #expect(try await api.upload(body, file).status == 202)
                }
                #expect(try await stage.database.count(unpublished) == 0)
            }
        }

        /// Files of uploads that this process has open.
        private static func openSpools() throws -> Int {
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
                let target = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
                return target?.contains("/dispatcher-") == true && target?.hasSuffix("(deleted)") == true
            }.count
        }
    }
}
