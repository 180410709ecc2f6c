import Testing

@testable import DispatchCore

struct ChannelKeyTests {
    @Test(
        "a browser's channel is its push service's origin",
        arguments: [
            (
                #"{"endpoint":"https://fcm.googleapis.com/fcm/send/abc","p256dh":"B","auth":"a"}"#,
                "https://fcm.googleapis.com"
            ),
            (#"{"endpoint":"https://push.example:8443","p256dh":"B","auth":"a"}"#, "https://push.example:8443"),
            ("https://web.push.apple.com/QGk", "https://web.push.apple.com"),
            ("https://host", "https://host"), ("no address", ""), ("", ""), ("a:b", ""),
        ]
    )
    func origins(_ channel: String, _ origin: String) {
        let key = ChannelKey(hub: 3, platform: .browser, topic: "ignored", channel: channel)
        #expect(key == ChannelKey(hub: 3, platform: .browser, target: origin))
    }

    @Test("APNs is divided by topic, the others are not")
    func targets() {
        #expect(ChannelKey(hub: 1, platform: .apns, topic: "a.b", channel: "t").target == "a.b")
        for platform in [Platform.fcmV1, .wns, .adm, .hms] {
            #expect(ChannelKey(hub: 1, platform: platform, topic: "a.b", channel: "https://x/y").target.isEmpty)
        }
    }

    @Test("an answer reaches as far as its scope says")
    func reaches() {
        let apns = ChannelKey(hub: 1, platform: .apns, target: "a.b")
        let web = ChannelKey(hub: 1, platform: .browser, target: "https://push")
        #expect(
            PauseScope.allCases.map { apns.reach(of: $0) == nil } == [true, true, true, false, false, false, false]
        )
        #expect(apns.reach(of: .app) == apns)
        #expect(apns.reach(of: .credential) == ChannelKey(hub: 1, platform: .apns))
        #expect(web.reach(of: .credential) == web)
        #expect(web.reach(of: .origin) == ChannelKey(hub: 0, platform: .browser, target: "https://push"))
        #expect(web.reach(of: .platform) == ChannelKey(hub: 0, platform: .browser))
    }

    @Test("no answer of one environment reaches the other")
    func environments() {
        let sandbox = ChannelKey(hub: 1, platform: .apns, topic: "a.b", channel: "t", isSandbox: true)
        #expect(sandbox != ChannelKey(hub: 1, platform: .apns, topic: "a.b", channel: "t"))
        let reaches = PauseScope.allCases.compactMap { sandbox.reach(of: $0) } + sandbox.reaches
        #expect(reaches.count == 8 && reaches.allSatisfy { $0.isSandbox })
    }
}
