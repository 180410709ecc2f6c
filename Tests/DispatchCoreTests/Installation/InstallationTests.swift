import DispatchCore
import Testing

@Suite struct InstallationTests {
    static func installation(_ text: String) throws(InstallationError) -> Installation {
        try Installation(decoding: Array(text.utf8))
    }

    @Test("every member arrives")
    func everything() throws {
        let installation = try Self.installation(Measurement.installation)
        #expect(installation.id == "0193f2c4-7d1e-7abc-8def-0123456789ab")
        #expect(installation.hub == "default")
        #expect(installation.userID == "alice")
        #expect(installation.platform == .apns)
        #expect(installation.pushChannel.hasPrefix("ok-0123"))
        #expect(installation.environment == .sandbox)
        #expect(installation.topic == "com.example.app")
        #expect(installation.tags.map(\.text) == ["username:alice", "lang:en", "vip"])
        #expect(installation.locale == "en-GB")
        #expect(installation.timeZone == "Europe/London")
        #expect(installation.templates?["t"]?["body"] == .string(#"{"aps":{"alert":"$(a)"}}"#))
        #expect(installation.permission == .authorized)
        #expect(installation.expirationTime?.rfc3339 == "2026-12-31T23:00:00.500000Z")
    }

    @Test("what is left out has its default, and a tag given twice is there once")
    func defaults() throws {
        let installation = try Self.installation(
            #"{"installationId":"i","platform":"fcmV1","pushChannel":"ok-1","hub":"shop","tags":["a","b","a"]}"#
        )
        #expect(installation.hub == "shop")
        #expect(installation.tags.map(\.text) == ["a", "b"])
        #expect(installation.userID == nil)
        #expect(installation.environment == .production)
        #expect(installation.permission == .notDetermined)
        #expect(installation.templates == nil)
    }

    @Test(
        "a browser's channel is an object, or a text that holds one",
        arguments: [
            #"{"auth":"BTBZ-_","p256dh":"BNcR=","endpoint":"https://push.example/1"}"#,
            #""{\"endpoint\":\"https://push.example/1\", \"p256dh\":\"BNcR=\", \"auth\":\"BTBZ-_\"}""#,
        ]
    )
    func browser(channel: String) throws {
        let installation = try Self.installation(
            #"{"installationId":"i","platform":"browser","pushChannel":\#(channel)}"#
        )
        #expect(installation.pushChannel == #"{"endpoint":"https://push.example/1","p256dh":"BNcR=","auth":"BTBZ-_"}"#)
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let code: JobError.Code
        let path: String

        var testDescription: String { "\(code.rawValue) at \(path): \(body.prefix(80))" }

        init(_ body: String, _ code: JobError.Code, _ path: String) {
            self.body = body
            self.code = code
            self.path = path
        }

        static func with(_ member: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"installationId":"i","platform":"hms","pushChannel":"x",\#(member)}"#, code, path)
        }

        static func browser(_ channel: String, _ code: JobError.Code, _ path: String) -> Refusal {
            Refusal(#"{"installationId":"i","platform":"browser","pushChannel":\#(channel)}"#, code, path)
        }
    }

    static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    @Test(
        "every mistake has its code and path",
        arguments: [
            Refusal("{", .invalidJSON, "$"),
            Refusal("7", .wrongType, "$"),
            Refusal("{}", .missingMember, "$.installationId"),
            Refusal(#"{"installationId":"i"}"#, .missingMember, "$.platform"),
            Refusal(#"{"installationId":"i","platform":"hms"}"#, .missingMember, "$.pushChannel"),
            Refusal(#"{"installationId":"a b"}"#, .invalidFormat, "$.installationId"),
            Refusal(#"{"installationId":"a\u00a0b"}"#, .invalidFormat, "$.installationId"),
            Refusal(#"{"installationId":""}"#, .outOfRange, "$.installationId"),
            Refusal(#"{"installationId":"\#(long(257))"}"#, .tooLong, "$.installationId"),
            Refusal(#"{"platform":"gcm"}"#, .outOfRange, "$.platform"),
            .with(#""userId":null"#, .wrongType, "$.userId"),
            .with(#""userId":"a\nb""#, .invalidFormat, "$.userId"),
            .with(#""hub":"a/b""#, .invalidFormat, "$.hub"),
            .with(#""environment":"sandbox""#, .conflictingMembers, "$.environment"),
            .with(#""environment":"staging""#, .outOfRange, "$.environment"),
            .with(#""topic":"""#, .outOfRange, "$.topic"),
            .with(#""topic":"com.example.app\r\nx: y""#, .invalidFormat, "$.topic"),
            .with(#""topic":"com.exämple""#, .invalidFormat, "$.topic"),
            .with(#""tags":"a,b""#, .wrongType, "$.tags"),
            .with(#""tags":["a","b c"]"#, .invalidFormat, "$.tags[1]"),
            .with(#""tags":["$x"]"#, .invalidFormat, "$.tags[0]"),
            .with(#""tags":["\#(long(121))"]"#, .tooLong, "$.tags[0]"),
            .with(#""tags":[\#((0...60).map { "\"\($0)\"" }.joined(separator: ","))]"#, .tooMany, "$.tags"),
            .with(#""templates":[]"#, .wrongType, "$.templates"),
            .with(#""templates":{"a":"x"}"#, .wrongType, "$.templates.a"),
            .with(#""templates":{"a":{"body":"\#(long(32_768))"}}"#, .tooLong, "$.templates"),
            .with(#""templates":{"":{"body":"{}"}}"#, .outOfRange, "$.templates['']"),
            .with(#""templates":{"\#(long(201))":{"body":"{}"}}"#, .tooLong, "$.templates['\(long(40))…']"),
            .with(#""templates":{"a":{}}"#, .missingMember, "$.templates.a.body"),
            .with(#""templates":{"a":{"body":""}}"#, .outOfRange, "$.templates.a.body"),
            .with(#""templates":{"a":{"body":"x"}}"#, .badTemplate, "$.templates.a.body"),
            .with(#""templates":{"a":{"body":"{}","tags":"x"}}"#, .wrongType, "$.templates.a.tags"),
            .with(#""templates":{"a":{"body":"{}","syntax":"mustache"}}"#, .outOfRange, "$.templates.a.syntax"),
            .with(#""templates":{"a":{"body":"{}","headers":[]}}"#, .wrongType, "$.templates.a.headers"),
            .with(#""templates":{"a":{"body":"{}","headers":{"x":"y"}}}"#, .badTemplate, "$.templates.a.headers.x"),
            .with(#""templates":{"a":{"body":"{}","expiry":"soon"}}"#, .badTemplate, "$.templates.a.expiry"),
            .with(
                #""templates":{"a":{"body":"{}","bodyTemplate":"{}"}}"#,
                .unknownMember,
                "$.templates.a.bodyTemplate"
            ),
            .with(#""locale":"en_GB""#, .invalidFormat, "$.locale"),
            .with(#""locale":"e""#, .invalidFormat, "$.locale"),
            .with(#""locale":"en-""#, .invalidFormat, "$.locale"),
            .with(#""timeZone":"Europe/""#, .invalidFormat, "$.timeZone"),
            .with(#""timeZone":"+01:00""#, .invalidFormat, "$.timeZone"),
            .with(#""permission":"granted""#, .outOfRange, "$.permission"),
            .with(#""expirationTime":"never""#, .invalidFormat, "$.expirationTime"),
            .with(#""pushVariables":{}"#, .unknownMember, "$.pushVariables"),
            .browser(#""ok-1""#, .wrongType, "$.pushChannel"),
            .browser(#"{"endpoint":"e","p256dh":"k","auth":"a","keys":{}}"#, .unknownMember, "$.pushChannel.keys"),
            .browser(#"{"endpoint":"e","p256dh":"k"}"#, .missingMember, "$.pushChannel.auth"),
            .browser(#"{"endpoint":"e e"}"#, .invalidFormat, "$.pushChannel.endpoint"),
            .browser(#"{"p256dh":"k+/"}"#, .invalidFormat, "$.pushChannel.p256dh"),
        ]
    )
    func refusal(_ refusal: Refusal) {
        let error = #expect(throws: InstallationError.self) { try Self.installation(refusal.body) }
        #expect(error?.code == refusal.code)
        #expect(error?.path == refusal.path)
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test(
        "locales and time zones of every form pass",
        arguments: ["de", "zh-Hant-TW", "x-mine", "sr-Latn-RS-u-ca-buddhist"]
    )
    func locales(locale: String) throws {
        for zone in ["UTC", "Etc/GMT+5", "America/Argentina/Buenos_Aires", "EST5EDT"] {
            let installation = try Self.installation(
                #"{"installationId":"i","platform":"hms","pushChannel":"x","locale":"\#(locale)","timeZone":"\#(zone)"}"#
            )
            #expect(installation.locale == locale)
            #expect(installation.timeZone == zone)
        }
    }
}
