import Testing

@testable import DispatchCore

@Suite("Huawei's native messages")
struct HMSNativeTests {
    private static let drawn = #"{"notification":{"title":"t","body":"b"},"android":{"notification":"#

    @Test(
        "a message as Huawei documents it passes unchanged",
        arguments: [
            #"{"data":"x"}"#,
            #"{"data":"{}","android":{"collapse_key":-1,"urgency":"HIGH","ttl":"1296000s","target_user_type":1}}"#,
            #"{"notification":{"title":"t","body":"b"},"android":{"notification":{"click_action":{"type":3}}}}"#,
            #"{"android":{"notification":{"title":"t","body":"b","click_action":{"type":1,"action":"A"}}}}"#,
        ]
    )
    func passes(message: String) throws {
        let body = #"{"message":{"token":["token:1"],\#(message.dropFirst())}"#
        #expect(try RenderedPush(native: message, on: .hms).text == body)
        let wrapped = #"{"validate_only":true,"message":\#(message)}"#
        #expect(try RenderedPush(native: wrapped, on: .hms).text == #"{"validate_only":true,"# + body.dropFirst())
    }

    @Test(
        "what Huawei would refuse is refused with its member",
        arguments: [
            ("[]", "malformed-native "),
            (#"{"message":[]}"#, "malformed-native .message"),
            (#"{"message":{"token":["x"]}}"#, "malformed-native .message.token"),
            (#"{"topic":"x"}"#, "malformed-native .topic"),
            (#"{"data":{}}"#, "malformed-native .data"),
            (#"{"notification":{"title":"t","body":"b"}}"#, "vendor-rule .notification"),
            (#"{"android":{"collapse_key":101}}"#, "vendor-rule .android.collapse_key"),
            (#"{"android":{"collapse_key":"1"}}"#, "malformed-native .android.collapse_key"),
            (#"{"android":{"urgency":"high"}}"#, "malformed-native .android.urgency"),
            (#"{"android":{"ttl":"1296001s"}}"#, "vendor-rule .android.ttl"),
            (#"{"android":{"ttl":"1d"}}"#, "malformed-native .android.ttl"),
            (
                #"{"android":{"notification":{"title":"t","click_action":{"type":3}}}}"#,
                "vendor-rule .android.notification"
            ),
        ]
    )
    func refused(message: String, refusal: String) {
        #expect(RenderedPush.refusal(native: message, on: .hms) == refusal)
    }

    @Test(
        "so is what stands in its notification",
        arguments: [
            (#"{}"#, "vendor-rule "),
            (#"{"click_action":{}}"#, "vendor-rule .click_action"),
            (#"{"click_action":{"type":0}}"#, "vendor-rule .click_action.type"),
            (#"{"click_action":{"type":1}}"#, "vendor-rule .click_action"),
            (#"{"click_action":{"type":2}}"#, "vendor-rule .click_action"),
            (#"{"click_action":{"type":2,"url":1}}"#, "malformed-native .click_action.url"),
            (#"{"click_action":{"type":3},"badge":{"set_num":1}}"#, "vendor-rule .badge"),
            (#"{"click_action":{"type":3},"badge":{"class":"c","set_num":100}}"#, "vendor-rule .badge.set_num"),
            (#"{"click_action":{"type":3},"badge":{"class":"c","add_num":0}}"#, "vendor-rule .badge.add_num"),
            (#"{"click_action":{"type":3},"buttons":[{},{},{},{}]}"#, "vendor-rule .buttons"),
            (#"{"click_action":{"type":3},"importance":"MAX"}"#, "malformed-native .importance"),
            (##"{"click_action":{"type":3},"color":"#12345"}"##, "malformed-native .color"),
            (#"{"click_action":{"type":3},"title_loc_args":["a"]}"#, "vendor-rule .title_loc_args"),
            (#"{"click_action":{"type":3},"notify_id":-2}"#, "vendor-rule .notify_id"),
        ]
    )
    func refusedNotification(notification: String, refusal: String) {
        let refused = RenderedPush.refusal(native: Self.drawn + notification + "}}", on: .hms)
        #expect(refused.replacing(".android.notification", with: "") == refusal)
    }
}
