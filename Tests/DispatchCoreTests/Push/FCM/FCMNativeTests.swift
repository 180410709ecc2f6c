import Testing

@testable import DispatchCore

@Suite("FCM's native messages")
struct FCMNativeTests {
    @Test(
        "a message as Firebase documents it passes unchanged",
        arguments: [
            #"{"data":{"a":"1","notification":"x"}}"#,
            #"{"android":{"ttl":"0s","priority":"high","collapse_key":"k","data":{"b":""}}}"#,
            #"{"android":{"ttl":"3.5s"}}"#, #"{"android":{"ttl":"2419200s"}}"#,
            #"{"android":{"notification":{"title_loc_key":"T","title_loc_args":["1"],"body_loc_args":[]}}}"#,
            ##"{"android":{"notification":{"color":"#Ff8800","notification_count":0,"visibility":"SECRET"}}}"##,
            #"{"android":{"notification":{"notification_priority":"PRIORITY_MAX","default_sound":true,"sticky":false}}}"#,
            #"{"apns":{"headers":{"apns-priority":"5"},"payload":{"aps":{"badge":1}}}}"#,
            #"{"webpush":{"headers":{"TTL":"5"},"data":{}},"fcm_options":{"analytics_label":"a-b"}}"#,
        ]
    )
    func passes(message: String) throws {
        let body = #"{"message":{"token":"token:1",\#(message.dropFirst())}"#
        #expect(try RenderedPush(native: message, on: .fcmV1).text == body)
        #expect(try RenderedPush(native: #"{"message":\#(message)}"#, on: .fcmV1).text == body)
    }

    @Test(
        "what Firebase would refuse is refused with its member",
        arguments: [
            ("[]", "malformed-native "),
            (#"{"message":1}"#, "malformed-native .message"),
            (#"{"token":"x"}"#, "malformed-native .token"),
            (#"{"message":{"fid":"x"}}"#, "malformed-native .message.fid"),
            (#"{"data":1}"#, "malformed-native .data"),
            (#"{"data":{"a":"1","b":2}}"#, "malformed-native .data.b"),
            (#"{"message":{"data":{"b":null}}}"#, "malformed-native .message.data.b"),
            (#"{"data":{"from":"x"}}"#, "reserved-key .data.from"),
            (#"{"android":{"data":{"google.x":"x"}}}"#, "reserved-key .android.data.google.x"),
            (#"{"notification":{"title":1}}"#, "malformed-native .notification.title"),
            (#"{"android":{"ttl":60}}"#, "malformed-native .android.ttl"),
            (#"{"android":{"ttl":"60"}}"#, "malformed-native .android.ttl"),
            (#"{"android":{"ttl":"1e3s"}}"#, "malformed-native .android.ttl"),
            (#"{"android":{"ttl":"1E3s"}}"#, "malformed-native .android.ttl"),
            (##"{"data":{"google\u0301":"x"}}"##, "reserved-key .data.google\u{301}"),
            (#"{"android":{"ttl":"-1s"}}"#, "vendor-rule .android.ttl"),
            (#"{"android":{"ttl":"2419201s"}}"#, "vendor-rule .android.ttl"),
            (#"{"android":{"priority":"urgent"}}"#, "malformed-native .android.priority"),
            (#"{"android":{"collapse_key":5}}"#, "malformed-native .android.collapse_key"),
            (
                #"{"android":{"notification":{"title_loc_args":["1"]}}}"#,
                "vendor-rule .android.notification.title_loc_args"
            ),
            (
                #"{"android":{"notification":{"body_loc_key":"B","body_loc_args":[1]}}}"#,
                "malformed-native .android.notification.body_loc_args"
            ),
            (#"{"android":{"notification":{"color":"red"}}}"#, "malformed-native .android.notification.color"),
            (
                #"{"android":{"notification":{"notification_count":-1}}}"#,
                "vendor-rule .android.notification.notification_count"
            ),
            (
                #"{"android":{"notification":{"visibility":"private"}}}"#,
                "malformed-native .android.notification.visibility"
            ),
            (
                #"{"android":{"notification":{"notification_priority":"HIGH"}}}"#,
                "malformed-native .android.notification.notification_priority"
            ),
            (
                #"{"android":{"notification":{"default_sound":"yes"}}}"#,
                "malformed-native .android.notification.default_sound"
            ),
            (#"{"android":{"notification":{"local_only":1}}}"#, "malformed-native .android.notification.local_only"),
            (#"{"apns":{"headers":{"apns-priority":5}}}"#, "malformed-native .apns.headers.apns-priority"),
            (#"{"fcm_options":{"analytics_label":"a b"}}"#, "malformed-native .fcm_options.analytics_label"),
        ]
    )
    func refused(message: String, refusal: String) {
        #expect(RenderedPush.refusal(native: message, on: .fcmV1) == refusal)
    }

    @Test("a native message at the limit passes, one byte more does not")
    func limit() throws {
        func size(_ filling: Int) throws -> Int {
            let text = String(repeating: "x", count: filling)
            return try RenderedPush(native: #"{"data":{"x":"\#(text)"}}"#, on: .fcmV1).push.size
        }
        let overhead = try size(0)
        #expect(try size(4096 - overhead) == 4096)
        #expect(throws: RenderError.tooLarge(4097, limit: 4096, platform: .fcmV1)) { try size(4097 - overhead) }
    }
}
