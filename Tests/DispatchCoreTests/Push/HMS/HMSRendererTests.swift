import Testing

@testable import DispatchCore

@Suite("Huawei's renderer")
struct HMSRendererTests {
    @Test("the token is the only element of the token array, escaped")
    func token() throws {
        let push = try RenderedPush(#"{"title": "x"}"#, on: .hms)
        #expect(push["message.token"] == .array([.string("token:1")]))
        let body = String(decoding: push.push.body(channel: "a\"b"), as: UTF8.self)
        #expect(body.hasPrefix(#"{"message":{"token":["a\"b"],"data":""#))
        #expect(push.push.header("content-type") == "application/json;charset=UTF-8")
    }

    @Test(
        "the time to live is whole seconds from now, at least one, at most 15 days",
        arguments: [
            (nil, nil), (-5_000_000, "1s"), (0, "1s"), (1_999_999, "1s"), (2_000_000, "2s"),
            (1_296_000_000_000, "1296000s"), (1_296_001_000_000, "1296000s"), (1 << 60, "1296000s"),
        ] as [(Int64?, String?)]
    )
    func timeToLive(microseconds: Int64?, ttl: String?) throws {
        let push = try RenderedPush(#"{"title": "x"}"#, on: .hms, expiresIn: microseconds)
        #expect(push["message.android.ttl"]?.string == ttl)
    }

    @Test("both of title and body are written, as Huawei demands")
    func texts() throws {
        let title = try RenderedPush(#"{"title": "t"}"#, on: .hms)
        #expect(title["message.notification.title"] == .string("t"))
        #expect(title["message.notification.body"] == .string(" "))
        let key = try RenderedPush(#"{"body": {"key": "B", "args": ["1"]}}"#, on: .hms)
        #expect(key["message.notification.body"] == .string(" "))
        #expect(key.drawn?["body_loc_key"] == .string("B"))
        #expect(key.drawn?["body_loc_args"] == .array([.string("1")]))
        #expect(key.drawn?["title_loc_key"] == nil)
    }

    @Test("a collapse key is a group from 1 to 100 and a 31-bit id, the same every time")
    func collapseKey() throws {
        let keys = (0..<500).map { HMSKey("key \($0)") }
        #expect(keys.allSatisfy { (1...100).contains($0.group) && (0...Int(Int32.max)).contains($0.notifyID) })
        #expect(Set(keys.map(\.group)).count > 90)
        #expect(Set(keys.map(\.notifyID)).count == keys.count)
        #expect(HMSKey("invite-7").group == 93)
        #expect(HMSKey("invite-7").notifyID == 936_114_076)
    }

    @Test("a push is replaced by tag and id of its collapse key, by the job's tag, or by the id the job gives")
    func replacement() throws {
        func replacement(_ content: String, _ key: String?) throws -> [JSONValue?] {
            let push = try RenderedPush(content, on: .hms, collapseKey: key)
            return [push["message.android.collapse_key"], push.drawn?["tag"], push.drawn?["notify_id"]]
        }
        let id = JSONValue.number(JSONNumber(936_114_076))
        let group = JSONValue.number(JSONNumber(93))
        let own = #"{"title": "x", "hms": {"notifyId": 0}}"#
        #expect(try replacement(#"{"title": "x"}"#, nil) == [nil, .string(PushExample.job.description), nil])
        #expect(try replacement(#"{"title": "x"}"#, "invite-7") == [group, .string("invite-7"), id])
        #expect(try replacement(own, "invite-7") == [group, nil, .number(JSONNumber(0))])
    }

    @Test(
        "a badge needs the entry class and is at most 99",
        arguments: [(0, 0), (99, 99), (100, 99), (2_147_483_647, 99)]
    )
    func badge(count: Int, shown: Int64) throws {
        let push = try RenderedPush(#"{"title": "x", "badge": \#(count), "hms": {"badgeClass": "a.B"}}"#, on: .hms)
        #expect(push.drawn?["badge"]?["set_num"] == .number(JSONNumber(shown)))
        #expect(push.drawn?["badge"]?["class"] == .string("a.B"))
        #expect(try push.data.map(\.name) == ["notificationId"])
    }

    @Test("a badge without a class goes to the app, and a class without a badge changes nothing")
    func badgeClass() throws {
        let app = try RenderedPush(#"{"title": "x", "badge": 100}"#, on: .hms)
        #expect(app.drawn?["badge"] == nil)
        #expect(try app.data.last?.value == .number(JSONNumber(100)))
        let none = try RenderedPush(#"{"title": "x", "hms": {"badgeClass": "a.B"}}"#, on: .hms)
        #expect(none.drawn?["badge"] == nil)
    }

    @Test(
        "importance follows sound and interruption level, unless the job says it for Huawei",
        arguments: [
            (#""body": "b""#, nil), (#""sound": "none""#, "LOW"), (#""sound": "default""#, nil),
            (#""interruptionLevel": "passive""#, "LOW"), (#""interruptionLevel": "active""#, "NORMAL"),
            (#""interruptionLevel": "critical""#, "NORMAL"),
            (#""sound": "none", "hms": {"importance": "high"}"#, "HIGH"),
        ]
    )
    func importance(member: String, importance: String?) throws {
        let push = try RenderedPush(#"{"title": "x", \#(member)}"#, on: .hms)
        #expect(push.drawn?["importance"]?.string == importance)
    }

    @Test(
        "a sound is the phone's own or a raw resource",
        arguments: [
            ("default", #""default_sound":true,"click_action""#),
            ("bell.caf", #""default_sound":false,"sound":"/raw/bell","click_action""#),
            ("/raw/bell", #""default_sound":false,"sound":"/raw/bell","click_action""#),
        ]
    )
    func sound(name: String, members: String) throws {
        #expect(try RenderedPush(#"{"title": "x", "sound": "\#(name)"}"#, on: .hms).text.contains(members))
    }

    @Test(
        "a tap starts the app, opens a page or an intent",
        arguments: [
            (#""body": "b""#, #"{"type":3}"#),
            (#""link": "https://example.com/""#, #"{"type":2,"url":"https://example.com/"}"#),
            (#""link": "app://orders/7""#, #"{"type":1,"intent":"app://orders/7"}"#),
            (
                #""link": "https://example.com/", "hms": {"clickIntent": "intent:x"}"#,
                #"{"type":1,"intent":"intent:x"}"#
            ),
        ]
    )
    func clickAction(member: String, action: String) throws {
        let push = try RenderedPush(#"{"title": "x", \#(member)}"#, on: .hms)
        #expect(try push.drawn?["click_action"] == JSONParser.parse(Array(action.utf8)))
    }

    @Test("the first three actions without a text input are buttons")
    func buttons() throws {
        let actions = [
            CategoryAction(id: "a", title: String(repeating: "é", count: 40)),
            CategoryAction(id: "b", title: "B", input: TextInput()),
            CategoryAction(id: "c", title: String(repeating: "é", count: 41)), CategoryAction(id: "d", title: "D"),
            CategoryAction(id: "e", title: "E"),
        ]
        let category = ActionCategory(id: "x", actions: actions)
        let push = try RenderedPush(#"{"title": "x", "category": "x"}"#, on: .hms, category: category)
        let buttons = try #require(push.drawn?["buttons"]?.elements)
        let names = [String(repeating: "é", count: 40), String(repeating: "é", count: 39) + "…", "D"]
        #expect(buttons.map { $0["name"]?.string } == names)
        #expect(buttons[2]["data"] == .string(#"{"action":"d","notificationId":"\#(PushExample.job)"}"#))
        #expect(buttons[2]["action_type"] == .number(JSONNumber(0)))
    }

    @Test("text inputs alone make no buttons")
    func noButtons() throws {
        let content = #"{"title": "x", "actions": [{"id": "a", "title": "A", "input": {}}]}"#
        #expect(try RenderedPush(content, on: .hms).drawn?["buttons"] == nil)
    }
}
