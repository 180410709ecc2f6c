import DispatchCore
import Testing

@Suite("Native payloads")
struct NativeRendererTests {
    private let options = PushOptions(notification: PushExample.job, priority: .high)

    @Test(
        "APNs takes the body as is and derives the push type",
        arguments: [
            (#"{"aps":{"alert":"x"}}"#, "alert", "10"),
            (#"{"data":{"aps":1},"aps":{"badge":0}}"#, "alert", "10"),
            (#"{"aps":{"content-available":1},"alert":"}"}"#, "background", "5"),
            (#"{"aps":{"content-available":1},"x":"a\"{b"}"#, "background", "5"),
        ]
    )
    func apns(json: String, pushType: String, priority: String) throws {
        let push = try prepare(json, on: .apns)
        #expect(push.body(channel: "t") == Array(json.utf8))
        #expect(push.header("apns-push-type") == pushType)
        #expect(push.header("apns-priority") == priority)
    }

    @Test(
        "APNs refuses what has no aps object",
        arguments: ["[]", "{}", #"{"aps":1}"#, #"{"x":{"aps":{}}}"#]
    )
    func apnsMalformed(json: String) {
        let error = #expect(throws: RenderError.self) {
            try prepare(json, on: .apns)
        }
        #expect(error?.code == .malformedNative)
    }

    @Test(
        "FCM gets the token as the first member of the message",
        arguments: [
            (#"{"message":{"data":{"a":"b"}}}"#, #"{"message":{"token":"t","data":{"a":"b"}}}"#),
            (#"{"data":{"a":"b"}}"#, #"{"message":{"token":"t","data":{"a":"b"}}}"#),
            (#"{}"#, #"{"message":{"token":"t"}}"#),
            (#"{"message":{}}"#, #"{"message":{"token":"t"}}"#),
            (
                #"{"validate_only":true,"message":{"data":{"token":"x"}}}"#,
                #"{"validate_only":true,"message":{"token":"t","data":{"token":"x"}}}"#
            ),
        ]
    )
    func fcm(json: String, body: String) throws {
        let push = try prepare(json, on: .fcmV1)
        #expect(String(decoding: push.body(channel: "t"), as: UTF8.self) == body)
    }

    @Test(
        "FCM refuses a message that is no object or has an address of its own",
        arguments: [
            "[]", #"{"message":1}"#, #"{"message":{"token":"x"}}"#, #"{"topic":"x"}"#, #"{"condition":"x"}"#,
            #"{"message":{"fid":"x"}}"#,
        ]
    )
    func fcmMalformed(json: String) {
        let error = #expect(throws: RenderError.self) {
            try prepare(json, on: .fcmV1)
        }
        #expect(error?.code == .malformedNative)
    }

    @Test("a native payload over the limit is refused")
    func tooLarge() {
        let json = #"{"aps":{"alert":"\#(String(repeating: "x", count: 4096))"}}"#
        let error = #expect(throws: RenderError.self) {
            try prepare(json, on: .apns)
        }
        #expect(error?.code == .tooLarge)
    }

    private func prepare(_ json: String, on platform: Platform) throws -> PreparedPush {
        let payload = try JSONParser.parse(Array(json.utf8))
        let context = RenderContext(options: options, now: PushExample.now)
        return try PushRenderer.prepare(.native([platform: payload]), for: platform, in: context)
    }
}
