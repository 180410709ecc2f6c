import Testing

@testable import DispatchCore

@Suite("Header fields of a moment and a device")
struct PushLifetimeTests {
    @Test(
        "a browser's time to live is whole seconds from now, four weeks without or beyond",
        arguments: [
            (nil as Int64?, "2419200"), (0, "0"), (-5_000_000, "0"), (999_999, "0"), (1_000_000, "1"),
            (1 << 60, "2419200"),
        ]
    )
    func webPush(microseconds: Int64?, seconds: String) {
        let request = request(.browser, expiresIn: microseconds)
        #expect(request.headers(now: PushExample.now).last == PushHeader("TTL", seconds))
    }

    @Test("a later attempt has less time left")
    func later() {
        let request = request(.browser, expiresIn: 60_000_000)
        #expect(request.headers(now: PushExample.now + .seconds(20)).contains(PushHeader("TTL", "40")))
    }

    @Test(
        "where the time left stands in the body, it is that of the moment when the batch is rendered",
        arguments: [
            (Platform.fcmV1, #""ttl":"100s""#, #""ttl":"80s""#), (.hms, #""ttl":"100s""#, #""ttl":"80s""#),
            (.adm, #""expiresAfter":100"#, #""expiresAfter":80"#),
        ]
    )
    func body(platform: Platform, first: String, later: String) throws {
        let job = try SendJob(
            decoding: Array(#"{"to":{"broadcast":true},"content":{"title":"x"}}"#.utf8),
            messageID: PushExample.job.description
        )
        let end = PushExample.now + .seconds(100)
        for (now, expected) in [(PushExample.now, first), (PushExample.now + .seconds(20), later)] {
            let options = PushOptions(notification: job.id, options: job.options, expiresAt: end)
            let push = try PushRenderer.prepare(
                job.content,
                for: platform,
                in: RenderContext(options: options, now: now)
            )
            let text = String(decoding: push.bodyHead + push.bodyTail, as: UTF8.self)
            #expect(text.contains(expected), "\(text)")
        }
    }

    @Test("Apple is told the instant itself")
    func apple() throws {
        let request = request(.apns, expiresIn: 60_000_000)
        for wait in [0, 20] {
            let headers = request.headers(now: PushExample.now + .seconds(wait))
            let expected = PushHeader("apns-expiration", String((PushExample.now + .seconds(60)).seconds))
            #expect(headers.filter { $0.name == "apns-expiration" } == [expected])
        }
    }

    @Test(
        "what is sent now or never has no time to live, whatever is left",
        arguments: [Platform.browser, .wns]
    )
    func nowOrNever(platform: Platform) {
        let headers = request(platform, expiresIn: 60_000_000, isNowOrNever: true).headers(now: PushExample.now)
        let expected =
            platform == .wns ? PushHeader("X-WNS-Cache-Policy", "no-cache") : PushHeader("TTL", "0")
        #expect(headers == [expected])
    }

    @Test(
        "Windows' browsers are told what to keep, by the time to live",
        arguments: [
            ("https://wns2-par02p.notify.windows.com/w/?token=abc", true),
            ("https://WNS2.Notify.Windows.com:443/w", true),
            ("https://notify.windows.com", true),
            ("https://notify.windows.com.evil.example/", false),
            ("https://evilnotify.windows.com/", false),
            ("https://push.example/notify.windows.com", false),
            ("https://push.example?notify.windows.com", false),
            ("http://notify.windows.com/", false),
            ("https://", false),
        ]
    )
    func windows(endpoint: String, isWindows: Bool) throws {
        let subscription = JSONValue.object([
            JSONMember(name: "endpoint", value: .string(endpoint)),
            JSONMember(name: "p256dh", value: .string("BNcR")),
            JSONMember(name: "auth", value: .string("tBHI")),
        ])
        let channel = try PushChannel.text(of: subscription, named: "channel", platform: .browser)
        func policy(expiresIn microseconds: Int64?) -> String? {
            request(.browser, expiresIn: microseconds, channel: channel).headers(now: PushExample.now)
                .first { $0.name == "X-WNS-Cache-Policy" }?.value
        }
        #expect(policy(expiresIn: nil) == (isWindows ? "cache" : nil))
        #expect(policy(expiresIn: 0) == (isWindows ? "no-cache" : nil))
    }

    @Test("Windows is told the seconds left, and to keep nothing when there are none")
    func wns() {
        let kept = [PushHeader("X-WNS-Cache-Policy", "cache")]
        func headers(expiresIn microseconds: Int64?) -> [PushHeader] {
            request(.wns, expiresIn: microseconds, headers: kept).headers(now: PushExample.now)
        }
        #expect(headers(expiresIn: nil) == kept)
        #expect(headers(expiresIn: 1_999_999) == kept + [PushHeader("X-WNS-TTL", "1")])
        #expect(headers(expiresIn: 999_999) == [PushHeader("X-WNS-Cache-Policy", "no-cache")])
        #expect(headers(expiresIn: -1) == [PushHeader("X-WNS-Cache-Policy", "no-cache")])
        let longest = [PushHeader("X-WNS-TTL", "2147483647")]
        #expect(headers(expiresIn: 2_147_483_647_000_000) == kept + longest)
        #expect(headers(expiresIn: 2_147_483_648_000_000) == kept + longest)
        #expect(headers(expiresIn: 1 << 60) == kept + longest)
        let spelled = request(.wns, expiresIn: 0, headers: [PushHeader("x-wns-cache-policy", "cache")])
        #expect(spelled.headers(now: PushExample.now) == [PushHeader("X-WNS-Cache-Policy", "no-cache")])
    }

    private func request(
        _ platform: Platform,
        expiresIn microseconds: Int64?,
        headers: [PushHeader] = [],
        channel: String = "channel",
        isNowOrNever: Bool = false
    ) -> PushRequest {
        let expiry = microseconds.map { PushExample.now + .microseconds($0) }
        return PushRequest(
            push: PreparedPush(
                platform: platform,
                bodyHead: [],
                headers: headers,
                expiresAt: expiry,
                isNowOrNever: isNowOrNever
            ),
            notification: PushExample.job,
            number: NotificationID(rawValue: 1),
            installation: InstallationKey(rawValue: 2),
            installationID: "browser",
            channel: channel,
            attempt: 1
        )
    }
}
