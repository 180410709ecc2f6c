import DispatchCore
import Testing

@Suite("Golden payloads")
struct RendererGoldenTests {
    @Test("APNs gets exactly these bytes", arguments: PushExample.all)
    func apns(example: PushExample) throws {
        let push = try PushRenderer.prepare(.neutral(example.content), for: .apns, in: example.context)
        let body = String(decoding: push.body(channel: "ignored"), as: UTF8.self)
        #expect(body == (try Fixture.text("apns-\(example.name).json")))
    }

    @Test("FCM gets exactly these bytes", arguments: PushExample.all)
    func fcm(example: PushExample) throws {
        let push = try PushRenderer.prepare(.neutral(example.content), for: .fcmV1, in: example.context)
        let body = String(decoding: push.body(channel: "token:1"), as: UTF8.self)
        #expect(body == (try Fixture.text("fcm-\(example.name).json")))
    }
}
