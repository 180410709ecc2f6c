import Testing

@testable import DispatchCore

@Suite("FCM's renderer")
struct FCMRendererTests {
    @Test("a text with a key is written without its fallback, which the device would show first")
    func keys() throws {
        let content = #"{"title": {"key": "T", "fallback": "t"}, "body": {"key": "B", "args": ["", "é"]}}"#
        let push = try RenderedPush(content, on: .fcmV1)
        #expect(push["message.notification"] == nil)
        #expect(push.drawn?["title_loc_key"] == .string("T"))
        #expect(push.drawn?["title_loc_args"] == nil)
        #expect(push.drawn?["body_loc_args"] == .array([.string(""), .string("é")]))
        #expect(!push.text.contains(#""t""#))
    }

    @Test("a literal text stands beside a text with a key")
    func mixed() throws {
        let push = try RenderedPush(#"{"title": "t", "body": {"key": "B", "fallback": "b"}}"#, on: .fcmV1)
        #expect(push["message.notification"] == .object([JSONMember(name: "title", value: .string("t"))]))
        #expect(push.drawn?["body_loc_key"] == .string("B"))
    }

    @Test("data only hands everything over in data, as urgently as it was asked for")
    func dataOnly() throws {
        let content = ##"""
            {"title": {"key": "T", "args": ["1"], "fallback": "t"}, "subtitle": "s", "body": "b", "badge": 0,
            "sound": "bell.caf", "fcmV1": {"dataOnly": true, "channelId": "n", "icon": "i", "color": "#ff8800",
            "clickAction": "GO", "ticker": "k", "visibility": "secret", "notificationPriority": "max", "sticky": true,
            "localOnly": false, "image": "https://example.com/i.png", "analyticsLabel": "l"}}
            """##
        let push = try RenderedPush(content, on: .fcmV1, priority: .high, collapseKey: "key")
        #expect(push.drawn == nil)
        #expect(push["message.notification"] == nil)
        #expect(push["message.android.priority"] == .string("HIGH"))
        #expect(push["message.android.fcm_options.analytics_label"] == .string("l"))
        let data = try push.data.map { "\($0.name)=\($0.value.string ?? "?")" }
        #expect(
            data == [
                "notificationId=\(PushExample.job)", "title=t", "titleLocKey=T", #"titleLocArgs=["1"]"#, "subtitle=s",
                "body=b", "sound=bell", "badge=0", "image=https://example.com/i.png", "tag=key", "channelId=n",
                "icon=i",
                "color=#ff8800", "clickAction=GO", "ticker=k", "visibility=secret", "notificationPriority=max",
                "sticky=true", "localOnly=false",
            ]
        )
    }

    @Test("a badge of 0 is told apart from none")
    func badge() throws {
        #expect(try RenderedPush(#"{"title": "x"}"#, on: .fcmV1).drawn?["notification_count"] == nil)
        let zero = try RenderedPush(#"{"title": "x", "badge": 0}"#, on: .fcmV1)
        #expect(zero.drawn?["notification_count"] == .number(JSONNumber(0)))
    }

    @Test(
        "reserved keys are refused with the member at fault",
        arguments: [
            (#"{"data": {"from": "x"}}"#, "content.data.from"),
            (#"{"data": {"a": "b", "gcm.notification.x": "x"}}"#, "content.data.gcm.notification.x"),
            (#"{"data": {"gcmX": "x"}}"#, "content.data.gcmX"),
            (#"{"data": {"google.c": "x"}}"#, "content.data.google.c"),
            (#"{"data": {"collapse_key": "x"}}"#, "content.data.collapse_key"),
            (#"{"data": {"message_type": "x"}}"#, "content.data.message_type"),
            (#"{"body": "b", "attachment": {"url": "https://x/", "key": "from"}}"#, "content.attachment.key"),
        ]
    )
    func reserved(content: String, member: String) {
        let error = #expect(throws: RenderError.self) { try RenderedPush(content, on: .fcmV1) }
        #expect(error?.code == .reservedKey)
        #expect(error?.member == member)
    }

    @Test("keys that only look reserved pass", arguments: ["From", "message", "xgcm", "notification", "collapseKey"])
    func unreserved(key: String) throws {
        #expect(try RenderedPush(#"{"data": {"\#(key)": "x"}}"#, on: .fcmV1).data.first?.name == key)
    }

    @Test(
        "the interruption level decides how much it stands out, unless the job says it for Android",
        arguments: [
            (#""interruptionLevel": "passive""#, "PRIORITY_LOW"),
            (#""interruptionLevel": "active""#, nil),
            (#""interruptionLevel": "time-sensitive""#, "PRIORITY_HIGH"),
            (#""interruptionLevel": "critical""#, "PRIORITY_MAX"),
            (#""interruptionLevel": "critical", "fcmV1": {"notificationPriority": "min"}"#, "PRIORITY_MIN"),
            (#""fcmV1": {"notificationPriority": "default"}"#, "PRIORITY_DEFAULT"),
            (#""body": "b""#, nil),
        ]
    )
    func prominence(member: String, priority: String?) throws {
        let push = try RenderedPush(#"{"title": "x", \#(member)}"#, on: .fcmV1)
        #expect(push.drawn?["notification_priority"]?.string == priority)
    }

    @Test(
        "the picture is Android's own, else the attachment when it is one",
        arguments: [
            (#""attachment": {"url": "https://a/"}"#, "https://a/"),
            (#""attachment": {"url": "https://a/", "type": "video/mp4"}"#, nil),
            (#""attachment": {"url": "https://a/"}, "fcmV1": {"image": "https://b/"}"#, "https://b/"),
        ]
    )
    func picture(members: String, image: String?) throws {
        let push = try RenderedPush(#"{"title": "x", \#(members)}"#, on: .fcmV1)
        #expect(push["message.notification.image"]?.string == image)
    }

    @Test(
        "a low priority is FCM's normal one",
        arguments: [(SendPriority.high, "HIGH"), (.normal, "NORMAL"), (.low, "NORMAL")]
    )
    func priority(priority: SendPriority, text: String) throws {
        let push = try RenderedPush(#"{"title": "x"}"#, on: .fcmV1, priority: priority)
        #expect(push["message.android.priority"] == .string(text))
        #expect(push.push.header("content-type") == "application/json")
    }
}
