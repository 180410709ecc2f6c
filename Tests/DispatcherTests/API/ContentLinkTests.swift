import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Addresses that are signed, for those who send no credentials.
    @Suite(.timeLimit(.minutes(4))) struct ContentLinkTests {
        private static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"
        private static let path = "/api/notifications/\(id)"

        private func withContent(
            _ changes: [String: String] = [:],
            _ body: (Stage, APIClient) async throws -> Void
        ) async throws {
            try await Stage.with { stage in
                try await stage.withAPI(changes) { (api: APIClient) async throws in
                    try await api.ready()
                    let upload = APIClient.Upload(data: Data("picture".utf8))
                    let sent = try await api.upload(#"{"id":"\#(Self.id)","to":{"broadcast":true}}"#, upload)
                    try #require(sent.status == 202, "\(sent.text)")
                    try await body(stage, api)
                }
            }
        }

        @Test("an address that was signed serves anyone until it expires, and names no user")
        func link() async throws {
            try await withContent(["DISPATCHER_PUBLIC_URL": "https://push.example.com/"]) { stage, api in
                for rights in [AccessRights.listen, .send] {
                    try await stage.addKey(rights.description, rights: rights)
                    let made = try await api.as(.key(rights.description, Stage.secret)).send(
                        "POST",
                        Self.path + "/link"
                    )
                    #expect(made.status == 200, "\(made.text)")
                    let url = try #require(made.member("url"))
                    let start = "https://push.example.com"
                    #expect(url.hasPrefix(start + Self.path + "?expires=") && made["Cache-Control"] == "no-store")
                    let got = try await api.as(.nobody).send("GET", String(url.dropFirst(start.count)))
                    #expect(got.status == 200 && got.text == "picture" && got["Content-Type"] == "image/png")
                    #expect(
                        got["Cache-Control"] == "private, max-age=86400, immutable"
                            || got["Cache-Control"] == "private, max-age=86399, immutable"
                    )
                    let part = try await api.as(.nobody).send(
                        "GET",
                        String(url.dropFirst(start.count)),
                        nil,
                        ["Range": "bytes=1-2"]
                    )
                    #expect(part.status == 206 && part.text == "ic")
                    let end = try #require(made.member("expiresAt").flatMap { try? Date($0, strategy: .iso8601) })
                    #expect(abs(end.timeIntervalSinceNow - 86_400) < 30)
                }
            }
        }

        @Test("whatever is changed in it makes it worthless")
        func forged() async throws {
            try await withContent { stage, api in
                try await stage.addKey("theirs", rights: .manage, hub: "other")
                let nobody = api.as(.nobody)
                let secrets = try #require(try await LinkSecrets(pool: stage.database.pool).secrets(of: "default"))
                let others = try #require(try await LinkSecrets(pool: stage.database.pool).secrets(of: "other"))
                let now = Int64(Date.now.timeIntervalSince1970)
                func path(
                    hub: String = "default",
                    _ secret: [UInt8],
                    _ reference: String = Self.id,
                    _ seconds: Int64 = 60
                ) throws -> String {
                    try ContentLink(hub: hub, reference: reference, expires: now + seconds).path(signedWith: secret)
                }
                let good = try path(secrets.primary)
                #expect(try await nobody.send("GET", good).status == 200)
                #expect(try await nobody.send("GET", try path(secrets.secondary)).status == 200)
                #expect(try await nobody.send("HEAD", good).status == 200)
                let other = "0193f2c4-7d1e-7abc-8def-0123456789ac"
                let signature = try #require(good.components(separatedBy: "signature=").last)
                let forged = [
                    try path(secrets.primary, Self.id, -1), try path(secrets.primary, Self.id, 0),
                    try path(others.primary), try path(hub: "other", secrets.primary),
                    try path(hub: "none", secrets.primary),
                    good.replacingOccurrences(of: Self.id, with: other),
                    good.replacingOccurrences(of: "expires=1", with: "expires=2"),
                    good.replacingOccurrences(of: "hub=default", with: "hub=other"), String(good.dropLast()),
                    good + "A",
                    good.replacingOccurrences(of: signature, with: ""),
                    good.replacingOccurrences(of: signature, with: String(repeating: "A", count: 43)),
                    Self.path + "?signature=\(signature)", Self.path + "?hub=default&signature=\(signature)",
                    Self.path + "?expires=x&hub=default&signature=\(signature)",
                ]
                for path in forged {
                    let refused = try await nobody.send("GET", path)
                    #expect(refused.status == 403 && refused.member("code") == "badLink", "\(path): \(refused.text)")
                }
                // Signed well, but there is no such content in that hub.
                for path in [try path(secrets.primary, other), try path(hub: "other", others.primary)] {
                    #expect(try await nobody.send("GET", path).status == 404)
                }
                #expect(try await nobody.send("GET", good + "&extra=1").status == 400)
                #expect(try await nobody.send("POST", good).status == 405)
                // A good credential does not make up for a bad signature.
                #expect(try await api.send("GET", good + "A").status == 403)
            }
        }

        @Test("a rotation leaves addresses good, and a second one ends those from before the first")
        func rotation() async throws {
            try await withContent { stage, api in
                let store = LinkSecretStore(pool: stage.database.pool)
                func secrets() async throws -> LinkSecrets.Entry {
                    try #require(try await LinkSecrets(pool: stage.database.pool).secrets(of: "default"))
                }
                let first = try await secrets()
                let link = ContentLink(hub: "default", reference: Self.id, expires: 4_102_444_800)
                let path = try link.path(signedWith: first.primary)
                let signature = try #require(path.components(separatedBy: "signature=").last)
                try await store.rotate(hub: "default")
                let second = try await secrets()
                #expect(second.secondary == first.primary && second.primary != first.primary)
                #expect(try link.isSigned(signature, with: second.all))
                try await store.rotate(hub: "default")
                let isStillGood = try link.isSigned(signature, with: try await secrets().all)
                #expect(!isStillGood)
                await #expect(throws: LinkSecretStore.UnknownHub.self) { try await store.rotate(hub: "none") }
            }
        }

        @Test("the address that a push carries is good for as long as the push")
        func attachment() async throws {
            try await Stage.with { stage in
                let address = ["DISPATCHER_PUBLIC_URL": "https://push.example.com"]
                try await stage.withAPI(address) { (api: APIClient) async throws in
                    let phone = try await api.device("phone", user: "alice")
                    try await api.ready()
                    let body =
                        #"{"id":"\#(Self.id)","content":{"title":"New Photo Available","attachment":{}},"options":{"ttlSeconds":600}}"#
                    let sent = try await phone.upload(
                        body,
                        APIClient.Upload(data: Data("film".utf8), type: "video/mp4")
                    )
                    try #require(sent.status == 202, "\(sent.text)")
                    try await stage.withWorkers(1, address) { try await stage.expectAccepted(Self.id) }
                    let payload = try #require(try stage.payloads(of: Self.id)["phone"])
                    let url = try #require(payload["my-attachment"]?.string)
                    #expect(payload["aps"]?["mutable-content"] == .number(JSONNumber(1)))
                    let got = try await api.as(.nobody).send(
                        "GET",
                        String(url.dropFirst("https://push.example.com".count))
                    )
                    #expect(got.status == 200 && got.text == "film" && got["Content-Type"] == "video/mp4")
                    let expires = try #require(
                        URLComponents(string: url)?.queryItems?.first { $0.name == "expires" }?.value.flatMap {
                            Double($0)
                        }
                    )
                    #expect(abs(expires - Date.now.timeIntervalSince1970 - 4_200) < 60)
                }
                try await stage.withAPI { (api: APIClient) async throws in
                    try await api.ready()
                    let body = #"{"to":{"broadcast":true},"content":{"title":"t","attachment":{}}}"#
                    let refused = try await api.upload(body, APIClient.Upload(data: Data([1])))
                    #expect(refused.status == 422 && refused.member("code") == "unsendable", "\(refused.text)")
                    #expect(refused.member("path") == "$.content.attachment.url")
                }
            }
        }
    }
}
