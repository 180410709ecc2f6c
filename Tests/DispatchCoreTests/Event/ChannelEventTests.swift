import DispatchCore
import Testing

@Suite struct ChannelEventTests {
    static let time = Timestamp(seconds: 1_796_126_400)

    static func event(
        _ kind: ChannelEvent.Kind,
        hub: String? = "shop",
        key: ChannelKey = ChannelKey(hub: 1, platform: .apns, target: "com.example.shop", isSandbox: true)
    ) -> ChannelEvent {
        let pause = ChannelPause(
            key: key,
            cause: .dead,
            reason: "BadDeviceToken",
            until: time + .seconds(30),
            round: 2,
            revision: 7
        )
        return ChannelEvent(kind: kind, hub: hub, pause: pause, restored: 120, time: time)
    }

    static func text(_ event: ChannelEvent) -> String { String(decoding: event.encode(), as: UTF8.self) }

    @Test("a stop is one CloudEvent, byte for byte")
    func stopped() {
        let expected = """
            {"specversion":"1.0","id":"/hubs/shop/apns/sandbox/com.example.shop 7","source":"/hubs/shop",\
            "type":"dispatcher.channel.stopped","subject":"apns/sandbox/com.example.shop","time":"2026-12-01T12:00:00Z",\
            "datacontenttype":"application/json","data":{"hub":"shop","platform":"apns","environment":"sandbox",\
            "topic":"com.example.shop","cause":"dead","reason":"BadDeviceToken","round":2,\
            "nextProbeAt":"2026-12-01T12:00:30Z","restored":120}}
            """
        #expect(Self.text(Self.event(.stopped)) == expected)
    }

    @Test("a platform of all hubs has neither hub nor topic, a push service is an origin")
    func reaches() {
        let platform = Self.text(Self.event(.resumed, hub: nil, key: ChannelKey(hub: 0, platform: .fcmV1)))
        #expect(platform.contains(#""source":"/hubs","type":"dispatcher.channel.resumed","subject":"fcmV1""#))
        #expect(platform.contains(#""data":{"platform":"fcmV1","cause""#) && !platform.contains("nextProbeAt"))
        let origin = ChannelKey(hub: 0, platform: .browser, target: "https://push.example")
        #expect(Self.text(Self.event(.stopped, hub: nil, key: origin)).contains(#""origin":"https://push.example""#))
    }

    @Test("the schema takes every form, and misses what is wrong")
    func schema() throws {
        let keys = [
            ChannelKey(hub: 1, platform: .apns), ChannelKey(hub: 1, platform: .apns, target: "a.b", isSandbox: true),
            ChannelKey(hub: 1, platform: .browser, target: "https://push.example"), ChannelKey(hub: 1, platform: .hms),
        ]
        let right = ChannelEvent.Kind.allCases.flatMap { kind in
            keys.flatMap { [Self.event(kind, key: $0), Self.event(kind, hub: nil, key: $0)] }
        }
        let verdicts = try SchemaFolder.verdicts(of: right.map { ("channel-event", $0.encode()) })
        #expect(verdicts.count == right.count && verdicts.allSatisfy { $0 == nil }, "\(verdicts)")
        let text = Self.text(Self.event(.stopped))
        let wrong = [
            ("channel.stopped", "channel.paused"), (#""cause":"dead""#, #""cause":"gone""#),
            (#""round":2"#, #""round":0"#),
            (#""source":"/hubs/shop""#, #""source":"shop""#), (#""platform":"apns""#, #""platform":"gcm""#),
            (#""cause":"dead","#, ""), (#""data":{"#, #""data":{"pushChannel":"x","#),
        ].map { text.replacing($0.0, with: $0.1) }
        #expect(!wrong.contains(text))
        let refused = try SchemaFolder.verdicts(of: wrong.map { ("channel-event", Array($0.utf8)) })
        #expect(refused.count == wrong.count && !refused.contains(nil), "\(refused)")
    }
}
