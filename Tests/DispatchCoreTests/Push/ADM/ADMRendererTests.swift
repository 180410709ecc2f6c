import Testing

@testable import DispatchCore

@Suite("Amazon's renderer")
struct ADMRendererTests {
    @Test(
        "it expires after whole seconds from now, at least a minute, at most 31 days",
        arguments: [
            (nil, nil), (-1, 60), (0, 60), (60_999_999, 60), (61_000_000, 61), (2_678_400_000_000, 2_678_400),
            (2_678_401_000_000, 2_678_400), (1 << 60, 2_678_400),
        ] as [(Int64?, Int64?)]
    )
    func expiry(microseconds: Int64?, seconds: Int64?) throws {
        let push = try RenderedPush(#"{"title": "x"}"#, on: .adm, expiresIn: microseconds)
        #expect(push["expiresAfter"] == seconds.map { .number(JSONNumber($0)) })
    }

    @Test("a consolidation key is the collapse key up to 64 bytes, its digest beyond, the job's id without one")
    func consolidationKey() throws {
        func key(_ key: String?) throws -> String? {
            try RenderedPush(#"{"title": "x"}"#, on: .adm, collapseKey: key)["consolidationKey"]?.string
        }
        let longest = String(repeating: "é", count: 32)
        #expect(try key(longest) == longest)
        #expect(try key(String(repeating: "a", count: 65)) == "Y1NhxIu56rFBmOduqKt_GkFoXWrWKqkUbTAdTxfrCuA")
        #expect(try key(nil) == PushExample.job.description)
    }

    @Test("a text with a key has its fallback beside it")
    func keys() throws {
        let content = #"{"title": {"key": "T", "fallback": "t"}, "body": {"key": "B", "args": ["1"]}}"#
        let drawn = try #require(try RenderedPush(content, on: .adm).drawn)
        #expect(drawn["title"] == .string("t"))
        #expect(drawn["title_loc_key"] == .string("T"))
        #expect(drawn["title_loc_args"] == nil)
        #expect(drawn["body"] == nil)
        #expect(drawn["body_loc_args"] == .array([.string("1")]))
    }

    @Test(
        "a low priority is Amazon's normal one",
        arguments: [(SendPriority.high, "high"), (.normal, "normal"), (.low, "normal")]
    )
    func priority(priority: SendPriority, text: String) throws {
        #expect(try RenderedPush(#"{"title": "x"}"#, on: .adm, priority: priority)["priority"] == .string(text))
    }

    @Test("the headers name the types that Amazon demands")
    func headers() throws {
        let push = try RenderedPush(#"{"title": "x"}"#, on: .adm).push
        #expect(push.header("content-type") == "application/json")
        #expect(push.header("accept") == "application/json")
        #expect(push.header("X-Amzn-Type-Version") == "com.amazon.device.messaging.ADMMessage@1.0")
        #expect(push.header("X-Amzn-Accept-Type") == "com.amazon.device.messaging.ADMSendResult@1.0")
        #expect(!push.embedsChannel)
    }

    @Test("a badge of 0 is told apart from none")
    func badge() throws {
        #expect(try RenderedPush(#"{"title": "x"}"#, on: .adm).drawn?["notification_count"] == nil)
        let zero = try RenderedPush(#"{"title": "x", "badge": 0}"#, on: .adm)
        #expect(zero.drawn?["notification_count"] == .number(JSONNumber(0)))
    }

    @Test(
        "a native message as Amazon documents it passes unchanged",
        arguments: [
            #"{"data":{}}"#, #"{"data":{"from":"Sam"},"consolidationKey":"Sync","expiresAfter":86400,"md5":"x"}"#,
            #"{"notification":{"title":"t","title_loc_key":"T","title_loc_args":["1"]},"priority":"high"}"#,
            #"{"data":{"a":"1"},"expiresAfter":1}"#, #"{"data":{},"expiresAfter":2678400}"#,
        ]
    )
    func native(message: String) throws {
        #expect(try RenderedPush(native: message, on: .adm).text == message)
    }

    @Test(
        "what Amazon would refuse is refused with its member",
        arguments: [
            ("[]", "malformed-native "), ("{}", "malformed-native "),
            (#"{"data":[]}"#, "malformed-native .data"), (#"{"data":{"a":1}}"#, "malformed-native .data.a"),
            (#"{"data":{},"notification":"x"}"#, "malformed-native .notification"),
            (#"{"notification":{"body_loc_args":["1"]}}"#, "vendor-rule .notification.body_loc_args"),
            (#"{"notification":{"color":"red"}}"#, "malformed-native .notification.color"),
            (#"{"data":{},"consolidationKey":5}"#, "malformed-native .consolidationKey"),
            (
                #"{"data":{},"consolidationKey":"\#(String(repeating: "k", count: 65))"}"#,
                "vendor-rule .consolidationKey"
            ),
            (#"{"data":{},"expiresAfter":"60"}"#, "malformed-native .expiresAfter"),
            (#"{"data":{},"expiresAfter":0}"#, "vendor-rule .expiresAfter"),
            (#"{"data":{},"expiresAfter":2678401}"#, "vendor-rule .expiresAfter"),
            (#"{"data":{},"priority":"HIGH"}"#, "malformed-native .priority"),
            (#"{"data":{},"md5":1}"#, "malformed-native .md5"),
        ]
    )
    func refused(message: String, refusal: String) {
        #expect(RenderedPush.refusal(native: message, on: .adm) == refusal)
    }
}
