import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S1: content that is stored once and fetched by an integer.
    @Suite(.timeLimit(.minutes(4))) struct S1RichContentTests {
        /// Enough of a picture.
        private static let picture =
            Data("\u{89}PNG\r\n".utf8) + Data((0..<3_000).map { UInt8(truncatingIfNeeded: $0 * 7) })

        @Test(
            "a silent push wakes the phone, which fetches by the integer, shows it, and its user opens it",
            arguments: Door.allCases
        )
        func fetched(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let iphone = try await scene.phone("iphone", user: "alice")
                let pixel = try await scene.phone("pixel", user: "alice", platform: "fcmV1")
                let stranger = try await scene.phone("stranger", user: "mallory")
                let id = try await Self.post(scene)
                let push = try await iphone.push(of: id)
                #expect(
                    push.payload["aps"]
                        == .object([JSONMember(name: "content-available", value: .number(JSONNumber(1)))])
                )
                #expect(push.headers["apns-push-type"] == "background" && push.headers["apns-priority"] == "5")
                #expect(push.payload["richMessage"] == .string("Check this image out!"))
                #expect(push.payload["richType"] == .string("img"))
                guard case .number(let number)? = push.payload["richId"] else { throw Missing.integer }
                let path = "/api/notifications/\(number.text)"
                for phone in [iphone, pixel] {
                    let answer = try await phone.app.send("GET", path)
                    #expect(answer.status == 200 && answer.body == Self.picture)
                    #expect(answer["Content-Type"] == "image/png" && answer["X-Content-Type-Options"] == "nosniff")
                    try await scene.expect("accepted fetched", of: id, on: phone)
                }
                let refused = try await stranger.app.send("GET", path)
                let nothing = try await stranger.app.send("GET", "/api/notifications/4711")
                #expect(refused.status == 404 && nothing.status == 404)
                #expect(refused.member("detail") == nothing.member("detail"))
                for kind in ["displayed", "read"] { try await iphone.report(kind, id) }
                let more = #","actionId":"richPushMore","response":"dismissAndForwardAction""#
                try await pixel.report("action", id, more: more)
                try await scene.expect("accepted fetched displayed read", of: id, on: iphone)
                try await scene.expect(
                    "accepted fetched action richPushMore dismissAndForwardAction",
                    of: id,
                    on: pixel
                )
                #expect(try await scene.figure("fetched", of: id) == 2)
                #expect(try await scene.unread("alice") == [])
            }
        }

        /// What the back end does when somebody posts a picture; the notification's id.
        private static func post(_ scene: Scene) async throws -> String {
            let content = #"{"type":"image/png","data":"\#(picture.base64EncodedString())"}"#
            if scene.door == .amqp {
                let rich = #"{"message":"Check this image out!","type":"img","content":\#(content)}"#
                let job = Job(to: #"{"tags":"username:alice"}"#, content: #"{"rich":\#(rich)}"#)
                try await scene.send(job)
                return job.id
            }
            let notification = #"{"to":{"tags":"username:alice"},"message":"Check this image out!","type":"img"}"#
            let answer = try await scene.backend.upload(notification, .init(data: picture))
            #expect(answer.status / 100 == 2, "\(answer.text)")
            return try #require(answer.member("id"))
        }

        private enum Missing: Error { case integer }

        @Test("the native push of a back end that keeps the content itself is sent as Apple takes it")
        func native() async throws {
            try await Scene.play { scene in
                let iphone = try await scene.phone("iphone", user: "alice")
                let body =
                    #"{"aps":{"content-available":1,"sound":""},"richId":"42","richMessage":"Check this image out!","richType":"img"}"#
                let job = Job(to: #"{"tags":"username:alice"}"#, content: #"{"apns":\#(body)}"#, kind: "native")
                try await scene.send(job)
                let push = try await iphone.push(of: job.id)
                let expected =
                    #"{"aps":{"content-available":1},"richId":"42","richMessage":"Check this image out!","richType":"img"}"#
                #expect(String(decoding: JSONWriter.encode(push.payload), as: UTF8.self) == expected)
                #expect(push.headers["apns-push-type"] == "background")
                try await iphone.report("read", job.id)
                try await scene.expect("accepted read", of: job.id, on: iphone)
            }
        }
    }
}
