import DispatchCore
import Testing

@Suite("Templates on their platforms")
struct PlatformTemplateTests {
    private let properties = #"{"a":"x","n":"3","type":"voip","ten":"10","bad":"a\r\nb: c","end":"1700000100"}"#

    private func render(_ template: InstallationTemplate, _ options: PushOptions? = nil) throws -> PreparedPush {
        var context = TemplateExample.context
        if let options { context.options = options }
        return try template.render(TemplateExample.properties(properties), in: context)
    }

    private func text(_ push: PreparedPush) -> String {
        String(decoding: push.body(channel: "to\"ken"), as: UTF8.self)
    }

    // MARK: Apple

    @Test(
        "Apple's push type and priority follow from aps",
        arguments: [
            (#"{"aps":{"alert":"$(a)"}}"#, "alert", "10"),
            (##"{"aps":{"badge":"#(n)"}}"##, "alert", "10"),
            (#"{"aps":{"content-available":1},"x":"$(a)"}"#, "background", "5"),
            (##"{"aps":{"event":"update","timestamp":"#(end)","content-state":{}}}"##, "liveactivity", "10"),
        ]
    )
    func appleTypes(body: String, type: String, priority: String) throws {
        let options = PushOptions(notification: PushExample.job, priority: .high)
        let push = try render(try TemplateExample.template(body, on: .apns), options)
        #expect(push.header("apns-push-type") == type)
        #expect(push.header("apns-priority") == priority)
        #expect(push.header("apns-collapse-id") == PushExample.job.description)
    }

    @Test("Apple's headers of a template win over the job's")
    func appleHeaders() throws {
        let headers = [
            "APNs-Push-Type": "$(type)", "apns-priority": "$(ten:{5},2)", "apns-collapse-id": "{'c-' + $(a)}",
            "apns-expiration": "$(end)", "apns-x": " $(none) ", "apns-none": "$(none)",
        ]
        let template = try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: headers)
        var options = PushOptions(notification: PushExample.job, expiresAt: Timestamp(seconds: 1_800_000_000))
        let push = try render(template, options)
        #expect(push.header("apns-push-type") == "voip")
        #expect(push.topicSuffix == ".voip")
        #expect(push.header("apns-priority") == "10")
        #expect(push.header("apns-collapse-id") == "c-x")
        #expect(push.header("apns-x") == "$(none)")
        #expect(push.header("apns-none") == nil)
        #expect(push.header("apns-expiration") == nil)
        #expect(push.expiresAt == Timestamp(seconds: 1_700_000_100))
        options.expiresAt = Timestamp(seconds: 1_700_000_005)
        #expect(try render(template, options).expiresAt == Timestamp(seconds: 1_700_000_005))
    }

    @Test("a long collapse id is hashed, and the job's push type comes after the template's")
    func appleOptions() throws {
        var options = PushOptions(notification: PushExample.job, collapseKey: "k")
        options.platforms.pushType = .voip
        let long = String(repeating: "c", count: 65)
        let plain = try render(try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns), options)
        #expect(plain.header("apns-push-type") == "voip")
        #expect(plain.header("apns-collapse-id") == "k")
        let headers = ["apns-push-type": "alert", "apns-collapse-id": long, "apns-priority": "$(ten:{5},1)"]
        let told = try render(
            try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: headers),
            options
        )
        #expect(told.header("apns-push-type") == "alert")
        #expect(told.header("apns-collapse-id")?.utf8.count == 43)
        #expect(told.header("apns-priority") == "1")
    }

    @Test(
        "an expiry is 0, a time or an expression",
        arguments: [
            ("0", nil, true), ("$(zero:{0})", nil, true), ("$(end:{2023-11-14T22:15:00Z})", nil, false),
            ("2023-11-14T22:15:00Z", 1_700_000_100, false), ("2023-11-14T22:15", 1_700_000_100, false),
            ("2023-11-15 00:15:00.0000000+0200", 1_700_000_100, false), ("2023-11-15", 1_700_006_400, false),
            ("$(none:{2023-11-14T22:15:00Z})", 1_700_000_100, false), ("$(none)", 1_800_000_000, false),
            ("9999-12-31T23:59:59.9999999Z", 1_800_000_000, false),
        ] as [(String, Int64?, Bool)]
    )
    func expiry(expiry: String, seconds: Int64?, isNowOrNever: Bool) throws {
        let template = try TemplateExample.template(#"{"aps":{"alert":"x"}}"#, on: .apns, expiry: expiry)
        let options = PushOptions(notification: PushExample.job, expiresAt: Timestamp(seconds: 1_800_000_000))
        guard seconds != nil || isNowOrNever else {
            // The property is there, but no time.
            let error = #expect(throws: RenderError.self) { try render(template, options) }
            #expect(error?.code == .malformedTemplate)
            return
        }
        let push = try render(template, options)
        #expect(push.isNowOrNever == isNowOrNever)
        #expect(push.expiresAt == Timestamp(seconds: seconds ?? 1_800_000_000))
    }

    @Test(
        "a template whose end is over makes no push",
        arguments: [
            (Platform.apns, [:], "2023-11-14T22:13:20Z"), (.apns, [:], "1960-01-01"), (.apns, [:], "$(then)"),
            (.apns, ["apns-expiration": "1700000000"], nil), (.apns, ["apns-expiration": "$(n)"], nil),
            (.wns, [:], "2023-11-14"), (.browser, [:], "$(then)"),
        ] as [(Platform, [String: String], String?)]
    )
    func expired(platform: Platform, headers: [String: String], expiry: String?) throws {
        let body = platform == .wns ? "<toast><text>$(a)</text></toast>" : #"{"aps":{"alert":"$(a)"}}"#
        let template = try TemplateExample.template(body, on: platform, headers: headers, expiry: expiry)
        let properties = try TemplateExample.properties(#"{"a":"x","n":3,"then":"2023-11-14T22:13:19.5Z"}"#)
        let error = #expect(throws: RenderError.self) { try template.render(properties, in: TemplateExample.context) }
        #expect(error?.code == .expired)
    }

    @Test(
        "what the gateway is told in the body has no expiry",
        arguments: [
            (Platform.fcmV1, #"{"data":{"a":"$(a)"}}"#), (.adm, #"{"data":{"a":"$(a)"}}"#), (.hms, #"{"data":"$(a)"}"#),
        ]
    )
    func noExpiry(platform: Platform, body: String) throws {
        let error = #expect(throws: JobError.self) {
            try TemplateExample.template(body, on: platform, expiry: "$(end)")
        }
        #expect(error?.code == .badTemplate)
        #expect(error?.path == "$.expiry")
        #expect(throws: Never.self) { try TemplateExample.template(body, on: platform) }
    }

    struct Refusal: Sendable, CustomTestStringConvertible {
        let platform: Platform
        let body: String
        let headers: [String: String]
        let path: String
        let code: TemplateError.Code

        var testDescription: String { "\(platform.name) \(body.prefix(60)) \(headers)" }

        init(
            _ platform: Platform,
            _ body: String,
            _ headers: [String: String] = [:],
            _ path: String = "$.body",
            _ code: TemplateError.Code = .platformRule
        ) {
            self.platform = platform
            self.body = body
            self.headers = headers
            self.path = path
            self.code = code
        }

        static func apple(_ name: String, _ value: String) -> Refusal {
            let path = name == "x" ? "$.headers.x" : "$.headers['\(name)']"
            return Refusal(.apns, #"{"aps":{"alert":"$(a)"}}"#, [name: value], path)
        }

        static func windows(_ name: String, _ value: String) -> Refusal {
            Refusal(.wns, "<toast/>", [name: value], "$.headers['\(name)']")
        }
    }

    @Test(
        "what could never be sent is refused at registration",
        arguments: [
            Refusal(.apns, "{", [:], "$.body", .invalidJSON),
            Refusal(.apns, #"{"aps":{},"aps":{}}"#, [:], "$.body", .invalidJSON),
            Refusal(.apns, "[]", [:], "$.body", .unsupportedBody),
            Refusal(.apns, #""$(a)""#, [:], "$.body", .unsupportedBody),
            Refusal(.apns, "<toast/>", [:], "$.body", .invalidJSON),
            Refusal(.apns, "{}"),
            Refusal(.apns, #"{"aps":"$(a)"}"#),
            Refusal(.apns, #"{"aps":{}}"#),
            Refusal(.apns, #"{"aps":{"alert":"\#(String(repeating: "x", count: 5_000))"}}"#),
            .apple("x", "y"), .apple("apns-id", "y"), .apple("apns-topic", "y"), .apple("apns-priority", "7"),
            .apple("apns-push-type", "shout"), .apple("apns-expiration", "soon"), .apple("apns-expiration", "-1"),
            .apple("apns-expiration", "999999999999"),
            .apple("apns-x", " "), .apple("apns-x", "a\nb"), .apple("apns x", "y"),
            .apple("apns-\(String(repeating: "x", count: 30))", "$"),
            Refusal(.apns, #"{"aps":{"alert":"x"}}"#, ["apns-push-type": "background"]),
            Refusal(.wns, "x", [:], "$.body", .unsupportedBody),
            Refusal(.wns, "[]", [:], "$.body", .unsupportedBody),
            Refusal(.wns, "<x/>"), Refusal(.wns, "<TOAST/>"), Refusal(.wns, "<raw/>"),
            Refusal(.wns, "<toast></x>", [:], "$.body", .invalidXML),
            Refusal(.wns, "{x}", ["X-WNS-Type": "wns/raw"], "$.body", .invalidJSON),
            .windows("TTL-x", "1"), .windows("X-WNS-Tag", " "), .windows("X-WNS-Tag", "a-b"),
            .windows("X-WNS-Tag", "abcdefghij0123456"), .windows("X-WNS-Group", "é"), .windows("x-wns-priority", "0"),
            .windows("X-WNS-PRIORITY", "5"), .windows("X-WNS-PRIORITY", "high"), .windows("X-WNS-Cache-Policy", "keep"),
            .windows("X-WNS-TTL", "-1"), .windows("X-WNS-TTL", "1.5"), .windows("X-WNS-TTL", "+1"),
            .windows("X-WNS-TTL", "2147483648"),
            Refusal(.fcmV1, "[]", [:], "$.body", .unsupportedBody),
            Refusal(.fcmV1, "{}"), Refusal(.fcmV1, #"{"message":{}}"#), Refusal(.fcmV1, #"{"message":1}"#),
            Refusal(.fcmV1, #"{"token":"x"}"#), Refusal(.fcmV1, #"{"to":"x"}"#),
            Refusal(.fcmV1, #"{"message":{"topic":"x"}}"#), Refusal(.fcmV1, #"{"time_to_live":5}"#),
            Refusal(.fcmV1, #"{"data":"$(a)"}"#), Refusal(.fcmV1, #"{"data":{"x":{}}}"#),
            Refusal(.fcmV1, #"{"data":{"google.x":"y"}}"#),
            Refusal(.fcmV1, #"{"data":{}}"#, ["TTL-x": "1"], "$.headers['TTL-x']"),
            Refusal(.browser, "x", [:], "$.body", .invalidJSON), Refusal(.adm, "[1]", [:], "$.body", .unsupportedBody),
            Refusal(.adm, "{}"), Refusal(.hms, #"{"token":["x"]}"#), Refusal(.hms, #"{"data":1}"#),
        ]
    )
    func refusal(refusal: Refusal) {
        let error = #expect(throws: JobError.self) {
            try TemplateExample.template(refusal.body, on: refusal.platform, headers: refusal.headers)
        }
        #expect(error?.path == refusal.path)
        #expect(error?.code == .badTemplate)
        #expect(error?.reason.hasSuffix(".") == true)
        let hasCode = error?.reason.hasPrefix(refusal.code.rawValue) == true
        #expect(hasCode || refusal.path != "$.body")
    }

    @Test(
        "a header that is bad only with these properties makes no push",
        arguments: [
            ["apns-priority": "$(n)"], ["apns-push-type": "$(a)"], ["apns-expiration": "$(a)"], ["apns-x": "$(bad)"],
            ["apns-push-type": "{'back' + 'ground'}", "apns-x": "$(a)"],
        ]
    )
    func badHeader(headers: [String: String]) throws {
        let template = try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: headers)
        let error = #expect(throws: RenderError.self) { try render(template) }
        #expect(error?.code == .malformedTemplate)
        #expect(error?.reason.contains("“t”") == true)
        #expect(error?.reason.contains("a\r\nb") == false)
    }

    @Test("a background push with another priority than 5 makes no push")
    func backgroundPriority() throws {
        let body = #"{"aps":{"content-available":1},"x":"$(a)"}"#
        let template = try TemplateExample.template(body, on: .apns, headers: ["apns-priority": "$(ten)"])
        #expect(throws: RenderError.self) { try render(template) }
    }

    @Test(
        "the limit counts after rendering, and by push type",
        arguments: [(4_096, "alert", true), (4_097, "alert", false), (5_120, "voip", true), (5_121, "voip", false)]
    )
    func appleLimit(size: Int, type: String, fits: Bool) throws {
        let template = try TemplateExample.template(
            #"{"aps":{"alert":"$(long)"}}"#,
            on: .apns,
            headers: ["apns-push-type": type]
        )
        let text = String(repeating: "x", count: size - #"{"aps":{"alert":""}}"#.utf8.count)
        let properties = TemplateProperties([JSONMember(name: "long", value: .string(text))])
        if fits {
            #expect(try template.render(properties, in: TemplateExample.context).size == size)
        } else {
            let error = #expect(throws: RenderError.self) {
                try template.render(properties, in: TemplateExample.context)
            }
            #expect(error?.code == .tooLarge)
        }
    }

    // MARK: The others

    @Test(
        "Windows: the outermost element or the header decides the type",
        arguments: [
            ("<toast><text>$(a)</text></toast>", "wns/tile", "wns/toast", "<toast><text>x</text></toast>"),
            ("<tile/>", "", "wns/tile", "<tile/>"),
            ("\u{FEFF}<toast>$(a)</toast>", "", "wns/toast", "<toast>x</toast>"),
            (#"\#u{FEFF}{"x":"$(a)"}"#, "", "wns/raw", #"{"x":"x"}"#),
            ("<Toast/>", "wns/raw", "wns/raw", "<Toast/>"),
            ("<badge value='$(n)'/>", "wns/toast", "wns/badge", "<badge value='3'/>"),
            ("<toast>$(a)</toast>", "WNS/Raw", "wns/raw", "<toast>x</toast>"),
            (##"{"x":"#(n)"}"##, "wns/toast", "wns/raw", #"{"x":3}"#),
            ("$(a) + '<'", "wns/raw", "wns/raw", "x<"),
            ("Plain $(a)", "wns/raw", "wns/raw", "Plain $(a)"),
        ]
    )
    func windows(body: String, header: String, type: String, expected: String) throws {
        let headers = header.isEmpty ? [:] : ["X-WNS-Type": header]
        let push = try render(try TemplateExample.template(body, on: .wns, headers: headers))
        #expect(push.headers.filter { $0.name.lowercased() == "x-wns-type" } == [PushHeader("X-WNS-Type", type)])
        #expect(text(push) == expected)
    }

    @Test("Windows: headers of the template win, and a time to live becomes the expiry")
    func windowsHeaders() throws {
        let headers = ["X-WNS-Type": "wns/toast", "x-wns-tag": "$(a)", "X-WNS-TTL": "$(n)", "X-WNS-Match": "m"]
        let push = try render(try TemplateExample.template("<toast/>", on: .wns, headers: headers))
        #expect(push.headers.filter { $0.name.lowercased() == "x-wns-tag" } == [PushHeader("x-wns-tag", "x")])
        #expect(push.header("X-WNS-Match") == "m")
        #expect(push.header("X-WNS-TTL") == nil)
        #expect(push.expiresAt == Timestamp(seconds: PushExample.now.seconds + 3))
    }

    @Test(
        "Windows: a header that is bad only with these properties makes no push",
        arguments: [
            ["X-WNS-Group": "$(none)"], ["X-WNS-Tag": "$(bad)"], ["X-WNS-Tag": "{'a b' + $(a)}"],
            ["X-WNS-PRIORITY": "$(ten)"], ["X-WNS-Cache-Policy": "$(a)"], ["x-wns-ttl": "$(a)"],
        ]
    )
    func badWindowsHeader(headers: [String: String]) throws {
        let template = try TemplateExample.template("<toast/>", on: .wns, headers: headers)
        let error = #expect(throws: RenderError.self) { try render(template) }
        #expect(error?.code == .malformedTemplate)
    }

    @Test("Windows: headers that it knows are sent as the template has them")
    func goodWindowsHeaders() throws {
        let headers = ["X-WNS-PRIORITY": "4", "X-WNS-Cache-Policy": "cache", "X-WNS-Tag": "$(end)", "X-WNS-Group": "g"]
        let push = try render(try TemplateExample.template("<toast/>", on: .wns, headers: headers))
        for (name, value) in headers { #expect(push.header(name) == (value == "$(end)" ? "1700000100" : value)) }
    }

    @Test(
        "FCM: the token is the first member, and data holds texts alone",
        arguments: [
            (
                ##"{"data":{"a":"#(n)","b":1.50,"c":true,"d":"$(a)"},"notification":{"title":"$(a)"}}"##,
                #"{"message":{"token":"to\"ken","data":{"a":"3","b":"1.50","c":"true","d":"x"},"notification":{"title":"x"}}}"#
            ),
            (
                ##"{"validate_only":true,"message":{"android":{"notification":{"notification_count":"#(n)"}}}}"##,
                #"{"validate_only":true,"message":{"token":"to\"ken","android":{"notification":{"notification_count":3}}}}"#
            ),
        ]
    )
    func firebase(body: String, expected: String) throws {
        #expect(text(try render(try TemplateExample.template(body, on: .fcmV1))) == expected)
    }

    @Test(
        "browser, ADM and HMS: the rules for native payloads apply to what is rendered",
        arguments: [
            (Platform.browser, #"{"title":"$(a)"}"#, #"{"title":"x"}"#),
            (.adm, #"{"data":{"a":"$(a)"}}"#, #"{"data":{"a":"x"}}"#),
            (.hms, #"{"data":"$(a)"}"#, #"{"message":{"token":["to\"ken"],"data":"x"}}"#),
            (
                .hms, #"{"validate_only":false,"message":{"data":"$(a)"}}"#,
                #"{"validate_only":false,"message":{"token":["to\"ken"],"data":"x"}}"#
            ),
        ]
    )
    func others(platform: Platform, body: String, expected: String) throws {
        #expect(text(try render(try TemplateExample.template(body, on: platform))) == expected)
    }

    @Test("ADM refuses numbers in data when they are rendered")
    func nativeRule() throws {
        let template = try TemplateExample.template(##"{"data":{"a":"#(n)"}}"##, on: .adm)
        let error = #expect(throws: RenderError.self) { try render(template) }
        #expect(error?.code == .malformedTemplate)
    }

    @Test("three devices in a row differ only where their templates do")
    func severalDevices() throws {
        let properties = try TemplateExample.properties(properties)
        let bodies = ["Hello", "Bonjour", "Hallo"].map { #"{"aps":{"alert":"{'\#($0) ' + $(a)}"}}"# }
        let templates = try bodies.map { try TemplateExample.template($0, on: .apns) }
        for _ in 0..<2 {
            let pushes = try templates.map { try $0.render(properties, in: TemplateExample.context) }
            #expect(pushes.map(text) == ["Hello", "Bonjour", "Hallo"].map { #"{"aps":{"alert":"\#($0) x"}}"# })
            #expect(Set(pushes.map(\.headers)).count == 1)
        }
    }
}
