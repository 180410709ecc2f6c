import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S2: media that a service extension fetches at a signed address.
    @Suite(.timeLimit(.minutes(4))) struct S2AttachmentTests {
        @Test(
            "an attachment of each type is fetched without credentials, by the address in the push alone",
            arguments: zip(["image/png", "image/gif", "audio/wav", "video/mp4"], [Door.http, .amqp, .http, .amqp])
        )
        func attachment(_ type: String, _ door: Door) async throws {
            try await Scene.play(door) { scene in
                let iphone = try await scene.phone("iphone", user: "alice")
                let bytes = Data((0..<5_000).map { UInt8(truncatingIfNeeded: $0 * 13) })
                let content = """
                    {"title":"New Photo Available","attachment":{},\
                    "rich":{"content":{"type":"\(type)","data":"\(bytes.base64EncodedString())"}}}
                    """
                let job = Job(to: #"{"users":["alice"]}"#, content: content)
                try await scene.send(job)
                let push = try await iphone.push(of: job.id)
                #expect(push.payload["aps"]?["mutable-content"] == .number(JSONNumber(1)))
                #expect(push.payload["aps"]?["alert"]?["title"] == .string("New Photo Available"))
                let address = try #require(push.payload["my-attachment"]?.string)
                let origin = Scene.publicAddress
                #expect(address.hasPrefix(origin + "/api/notifications/"))
                let path = String(address.dropFirst(origin.utf8.count))
                let anybody = scene.backend.as(.nobody)
                let answer = try await anybody.send("GET", path)
                #expect(answer.status == 200 && answer.body == bytes && answer["Content-Type"] == type)
                let part = try await anybody.send("GET", path, nil, ["Range": "bytes=10-19"])
                #expect(part.status == 206 && part.body == bytes[10...19])
                let forged = path.dropLast() + (path.hasSuffix("A") ? "B" : "A")
                #expect(try await anybody.send("GET", String(forged)).status / 100 == 4)
                for kind in ["displayed", "read"] { try await iphone.report(kind, job.id) }
                try await scene.expect("accepted displayed read", of: job.id, on: iphone)
            }
        }

        @Test("an attachment of the sender's own is named under the key that the app reads")
        func ownKey() async throws {
            try await Scene.play { scene in
                let iphone = try await scene.phone("iphone", user: "alice")
                let attachment = #"{"url":"https://example.com/photo.jpg","type":"image/jpeg","key":"photo"}"#
                let job = Job(
                    to: #"{"users":["alice"]}"#,
                    content: #"{"title":"New Photo Available","attachment":\#(attachment)}"#
                )
                try await scene.send(job)
                let push = try await iphone.push(of: job.id)
                #expect(push.payload["photo"] == .string("https://example.com/photo.jpg"))
                #expect(push.payload["my-attachment"] == nil)
            }
        }
    }
}
