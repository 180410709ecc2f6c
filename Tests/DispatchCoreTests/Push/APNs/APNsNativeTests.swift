import DispatchCore
import Testing

@Suite("Native payloads for Apple")
struct APNsNativeTests {
    @Test(
        "a payload that keeps Apple's rules is sent as it is, with the push type it asks for",
        arguments: [
            (#"{"aps":{"alert":"x"}}"#, "alert"),
            (#"{"aps":{"alert":{"title":"x"},"content-available":1,"mutable-content":1}}"#, "alert"),
            (#"{"aps":{"alert":"x","content-available":0,"sound":""},"n":1.50}"#, "alert"),
            (#"{"a":null,"aps":{"badge":0}}"#, "alert"),
            (#"{"aps":{"alert":{"loc-key":"K","loc-args":["a"],"title-loc-args":[]}}}"#, "alert"),
            (#"{"aps":{"alert":"x","interruption-level":"time-sensitive","badge":99}}"#, "alert"),
            (#"{"aps":{"sound":{"critical":1,"name":"default","volume":0.5},"relevance-score":1}}"#, "alert"),
            (#"{"aps":{"content-available":1,"category":"c"},"x":[{"aps":1}]}"#, "background"),
            (#"{"aps":{"content-available":1.0,"alert":null}}"#, "background"),
            (#"{"aps":{"event":"end","timestamp":1,"content-state":{},"dismissal-date":1}}"#, "liveactivity"),
            (#"{"aps":{"event":"end","timestamp":1}}"#, "liveactivity"),
            (
                #"{"aps":{"event":"update","timestamp":1,"content-state":{"a":1},"relevance-score":75}}"#,
                "liveactivity"
            ),
            (
                #"""
                {"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{},\#
                "alert":{"title":"x"},"input-push-token":1}}
                """#, "liveactivity"
            ),
        ]
    )
    func derived(payload: String, type: String) throws {
        let push = try APNsJob.prepare(#""native":{"apns":\#(payload)}"#)
        #expect(String(decoding: push.body(channel: "t"), as: UTF8.self) == payload)
        #expect(push.header("apns-push-type") == type)
    }

    @Test(
        "other push types need the job's word, and what Apple demands of them",
        arguments: [
            (#"{"mdm":"magic"}"#, "mdm"), (#"{"container-identifier":"c","domain":"d"}"#, "fileprovider"),
            (#"{"activeSpeaker":"Alice"}"#, "pushtotalk"), (#"{"aps":{"alert":"x"},"call":7}"#, "voip"),
            (#"{"aps":{}}"#, "location"), (#"{"steps":7}"#, "complication"),
            (#"{"aps":{"content-changed":true}}"#, "widgets"), (#"{"aps":{"content-changed":true}}"#, "controls"),
            (#"{"aps":{"event":"end","timestamp":1}}"#, "liveactivity"),
        ]
    )
    func asked(payload: String, type: String) throws {
        let push = try APNsJob.prepare(Self.job(payload, type))
        #expect(String(decoding: push.body(channel: "t"), as: UTF8.self) == payload)
        #expect(push.header("apns-push-type") == type)
    }

    @Test(
        "the empty sound of a background push is left out, and nothing else",
        arguments: [
            (
                #"{"aps":{"content-available":1,"sound":""},"richId":"7","sound":""}"#,
                #"{"aps":{"content-available":1},"richId":"7","sound":""}"#
            ),
            (
                #"{"richId":7,"aps":{"sound":"","category":"c","content-available":1}}"#,
                #"{"richId":7,"aps":{"category":"c","content-available":1}}"#
            ),
        ]
    )
    func emptySound(payload: String, body: String) throws {
        for job in [#""native":{"apns":\#(payload)}"#, Self.job(payload, "background")] {
            let push = try APNsJob.prepare(job)
            #expect(String(decoding: push.body(channel: "t"), as: UTF8.self) == body)
            #expect(push.header("apns-push-type") == "background")
            #expect(push.header("apns-priority") == "5")
        }
    }

    @Test(
        "what Apple would refuse or ignore is refused with its place",
        arguments: [
            (#"{"alert":"x"}"#, nil, "native.apns"),
            (#"{"aps":[]}"#, nil, "native.apns.aps"),
            (#"{"aps":{}}"#, nil, "native.apns.aps.content-available"),
            (#"{"aps":{"sound":""}}"#, nil, "native.apns.aps.content-available"),
            (#"{"aps":{"content-available":0}}"#, nil, "native.apns.aps.content-available"),
            (#"{"aps":{"content-available":true}}"#, nil, "native.apns.aps.content-available"),
            (#"{"aps":{"content-available":"1","alert":"x"}}"#, nil, "native.apns.aps.content-available"),
            (#"{"aps":{"alert":"x","mutable-content":true}}"#, nil, "native.apns.aps.mutable-content"),
            (#"{"aps":{"alert":"x","mutable-content":2}}"#, nil, "native.apns.aps.mutable-content"),
            (#"{"aps":{"alert":["x"]}}"#, nil, "native.apns.aps.alert"),
            (#"{"aps":{"sound":1}}"#, nil, "native.apns.aps.sound"),
            (#"{"aps":{"badge":"1"}}"#, nil, "native.apns.aps.badge"),
            (#"{"aps":{"badge":-1}}"#, nil, "native.apns.aps.badge"),
            (#"{"aps":{"badge":1.5}}"#, nil, "native.apns.aps.badge"),
            (#"{"aps":{"alert":"x","interruption-level":"urgent"}}"#, nil, "native.apns.aps.interruption-level"),
            (#"{"aps":{"alert":"x","interruption-level":1}}"#, nil, "native.apns.aps.interruption-level"),
            (#"{"aps":{"alert":{"loc-key":"K","loc-args":"a"}}}"#, nil, "native.apns.aps.alert.loc-args"),
            (#"{"aps":{"alert":{"loc-key":"K","loc-args":[1]}}}"#, nil, "native.apns.aps.alert.loc-args"),
            (#"{"aps":{"alert":{"title-loc-args":{}}}}"#, nil, "native.apns.aps.alert.title-loc-args"),
            (#"{"aps":{"alert":{"subtitle-loc-args":[null]}}}"#, nil, "native.apns.aps.alert.subtitle-loc-args"),
            (#"{"aps":{"sound":{"critical":true}}}"#, nil, "native.apns.aps.sound.critical"),
            (#"{"aps":{"sound":{"critical":1,"volume":1.01}}}"#, nil, "native.apns.aps.sound.volume"),
            (#"{"aps":{"sound":{"critical":1,"volume":-0.1}}}"#, nil, "native.apns.aps.sound.volume"),
            (#"{"aps":{"alert":"x","relevance-score":75}}"#, nil, "native.apns.aps.relevance-score"),
            (#"{"aps":{"alert":"x","relevance-score":"1"}}"#, nil, "native.apns.aps.relevance-score"),
            (#"{"aps":{"content-available":1}}"#, "alert", "options.apns.pushType"),
            (#"{"aps":{"alert":"x","content-available":1}}"#, "background", "options.apns.pushType"),
            (#"{"aps":{"content-available":1,"badge":0}}"#, "background", "options.apns.pushType"),
            (#"{"aps":{"content-available":1,"sound":"a"}}"#, "background", "options.apns.pushType"),
            (#"{"aps":{"alert":"x","event":"end","content-state":{}}}"#, "alert", "options.apns.pushType"),
            (#"{"aps":{"alert":"x"}}"#, "liveactivity", "native.apns.aps.event"),
            (#"{"aps":{"event":"stop","timestamp":1,"content-state":{}}}"#, nil, "native.apns.aps.event"),
            (#"{"aps":{"event":"end","content-state":{}}}"#, nil, "native.apns.aps.timestamp"),
            (#"{"aps":{"event":"end"}}"#, nil, "native.apns.aps.timestamp"),
            (#"{"aps":{"event":"update","timestamp":1}}"#, nil, "native.apns.aps.content-state"),
            (#"{"aps":{"event":"update","timestamp":1}}"#, "liveactivity", "native.apns.aps.content-state"),
            (#"{"aps":{"event":"update","timestamp":1,"content-state":1}}"#, nil, "native.apns.aps.content-state"),
            (
                #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes":{},"alert":"x"}}"#, nil,
                "native.apns.aps.attributes-type"
            ),
            (
                #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","alert":"x"}}"#, nil,
                "native.apns.aps.attributes"
            ),
            (
                #"{"aps":{"event":"start","timestamp":1,"content-state":{},"attributes-type":"A","attributes":{}}}"#,
                nil, "native.apns.aps.alert"
            ),
            (
                #"{"aps":{"event":"update","timestamp":1,"content-state":{},"input-push-token":true}}"#, nil,
                "native.apns.aps.input-push-token"
            ),
            (#"{"aps":{}}"#, "mdm", "native.apns.mdm"),
            (#"{"aps":{"content-changed":1}}"#, "widgets", "native.apns.aps.content-changed"),
            (#"{"aps":{}}"#, "controls", "native.apns.aps.content-changed"),
        ] as [(String, String?, String)]
    )
    func refused(payload: String, type: String?, member: String) {
        let job = type.map { Self.job(payload, $0) } ?? #""native":{"apns":\#(payload)}"#
        let error = #expect(throws: RenderError.self) { try APNsJob.prepare(job) }
        let isMalformed = member == "native.apns" || member == "native.apns.aps"
        #expect(error?.code == (isMalformed ? .malformedNative : .vendorRule))
        #expect(error?.member == member)
    }

    @Test(
        "a native payload at its type's limit passes, one byte more does not",
        arguments: [("alert", 4096), ("voip", 5120)]
    )
    func limit(type: String, limit: Int) throws {
        func prepare(_ count: Int) throws -> PreparedPush {
            let text = String(repeating: "x", count: count)
            return try APNsJob.prepare(Self.job(#"{"aps":{"alert":"\#(text)"}}"#, type))
        }
        let overhead = try prepare(0).size
        #expect(try prepare(limit - overhead).size == limit)
        #expect(throws: RenderError.tooLarge(limit + 1, limit: limit, platform: .apns)) {
            try prepare(limit - overhead + 1)
        }
    }

    private static func job(_ payload: String, _ type: String) -> String {
        #""native":{"apns":\#(payload)},"options":{"apns":{"pushType":"\#(type)"}}"#
    }
}
