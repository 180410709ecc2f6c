import Testing

@testable import DispatchCore

@Suite("Renderers")
struct RendererTests {
    private let options = PushOptions(notification: PushExample.job)
    private var context: RenderContext { RenderContext(options: options, now: PushExample.now) }

    @Test(
        "APNs priority and push type follow urgency and visibility",
        arguments: [
            (SendPriority.high, "10"), (.normal, "5"), (.low, "1"),
        ]
    )
    func apnsPriority(urgency: SendPriority, priority: String) throws {
        var options = options
        options.priority = urgency
        let alert = try prepare(Content(title: "x"), on: .apns, options: options)
        #expect(alert.header("apns-push-type") == "alert")
        #expect(alert.header("apns-priority") == priority)
        let datum = JSONMember(name: "a", value: .string("b"))
        let background = try prepare(Content(data: [datum]), on: .apns, options: options)
        #expect(background.header("apns-push-type") == "background")
        #expect(background.header("apns-priority") == "5")
    }

    @Test("a collapse id is the key up to 64 bytes, its digest beyond, the job's id without one")
    func collapseID() throws {
        func collapseID(_ key: String?) throws -> String? {
            var options = options
            options.collapseKey = key
            return try prepare(Content(title: "x"), on: .apns, options: options).header("apns-collapse-id")
        }
        let longest = String(repeating: "é", count: 32)
        #expect(try collapseID(longest) == longest)
        #expect(try collapseID(String(repeating: "a", count: 65)) == "Y1NhxIu56rFBmOduqKt_GkFoXWrWKqkUbTAdTxfrCuA")
        #expect(try collapseID(nil) == PushExample.job.description)
    }

    @Test("a body at the limit passes, one byte more does not", arguments: [Platform.apns, .fcmV1])
    func limit(platform: Platform) throws {
        let overhead = try prepare(body: "", on: platform).size
        #expect(try prepare(body: String(repeating: "x", count: 4096 - overhead), on: platform).size == 4096)
        #expect(throws: RenderError.tooLarge(4097, limit: 4096, platform: platform)) {
            try prepare(body: String(repeating: "x", count: 4097 - overhead), on: platform)
        }
    }

    @Test("size is counted in bytes, not characters")
    func multibyteLimit() {
        let body = String(repeating: "🎉", count: 1100)
        #expect(throws: RenderError.self) { try prepare(body: body, on: .apns) }
    }

    @Test(
        "reserved data keys are refused by name",
        arguments: [
            (Platform.apns, "aps"), (.fcmV1, "from"), (.fcmV1, "gcm"), (.fcmV1, "gcm.x"), (.fcmV1, "google.y"),
            (.fcmV1, "googleX"), (.fcmV1, "collapse_key"), (.fcmV1, "message_type"),
        ]
    )
    func reserved(platform: Platform, key: String) throws {
        let content = Content(title: "x", data: [JSONMember(name: key, value: .string("y"))])
        let error = #expect(throws: RenderError.self) { try prepare(content, on: platform) }
        #expect(error?.code == .reservedKey)
        #expect(error?.reason.contains(key) == true)
    }

    @Test("nothing to show and no data is refused", arguments: [Platform.apns, .fcmV1])
    func empty(platform: Platform) {
        let error = #expect(throws: RenderError.self) { try prepare(Content(), on: platform) }
        #expect(error?.code == .emptyContent)
    }

    @Test(
        "FCM's time to live is whole seconds from now, never negative, at most four weeks",
        arguments: [(-5_000_000, "0s"), (999_999, "0s"), (1_000_000, "1s"), (1 << 60, "2419200s")]
    )
    func timeToLive(microseconds: Int64, ttl: String) throws {
        var options = options
        options.expiresAt = PushExample.now + .microseconds(microseconds)
        let push = try prepare(Content(title: "x"), on: .fcmV1, options: options)
        #expect(String(decoding: push.bodyTail, as: UTF8.self).contains(#""ttl":"\#(ttl)""#))
    }

    @Test("a token is escaped where it stands in the body")
    func token() throws {
        let push = try prepare(body: "x", on: .fcmV1)
        let body = String(decoding: push.body(channel: "a\"b\\c"), as: UTF8.self)
        #expect(body.hasPrefix(#"{"message":{"token":"a\"b\\c","notification""#))
    }

    @Test(
        "an unread badge becomes the caller's number, or is left out without one",
        arguments: [Platform.apns, .fcmV1]
    )
    func unread(platform: Platform) throws {
        func text(_ badge: Badge?, unread: Int?) throws -> String {
            let content = JobContent.neutral(Content(title: "x", badge: badge))
            let context = RenderContext(options: options, now: PushExample.now, unread: unread)
            let push = try PushRenderer.prepare(content, for: platform, in: context)
            return String(decoding: push.body(channel: "t"), as: UTF8.self)
        }
        #expect(try text(.unread, unread: 0) == text(.count(0), unread: 5))
        #expect(try text(.unread, unread: 7) == text(.count(7), unread: nil))
        #expect(try text(.unread, unread: nil) == text(nil, unread: 7))
        #expect(try text(.unread, unread: 0) != text(.unread, unread: nil))
    }

    @Test("what has no renderer is refused with its own code")
    func unsupported() {
        func code(_ content: JobContent, _ platform: Platform) -> RenderError.Code? {
            let error = #expect(throws: RenderError.self) {
                try PushRenderer.prepare(content, for: platform, in: context)
            }
            return error?.code
        }
        #expect(code(.native([.fcmV1: .object([])]), .apns) == .missingNative)
        #expect(code(.template([]), .apns) == .noTemplate)
    }

    @Test("native payloads go to their platform's renderer")
    func native() throws {
        let aps = JSONMember(name: "aps", value: .object([JSONMember(name: "alert", value: .string("x"))]))
        let content = JobContent.native([.apns: .object([aps]), .fcmV1: .object([])])
        let apns = try PushRenderer.prepare(content, for: .apns, in: context)
        #expect(apns.body(channel: "t") == Array(#"{"aps":{"alert":"x"}}"#.utf8))
        let fcm = try PushRenderer.prepare(content, for: .fcmV1, in: context)
        #expect(fcm.body(channel: "t") == Array(#"{"message":{"token":"t"}}"#.utf8))
    }

    private func prepare(body: String, on platform: Platform) throws -> PreparedPush {
        try prepare(Content(body: .literal(body)), on: platform)
    }

    private func prepare(
        _ content: Content,
        on platform: Platform,
        options: PushOptions? = nil
    ) throws -> PreparedPush {
        let context = RenderContext(options: options ?? self.options, now: PushExample.now)
        return try PushRenderer.prepare(.neutral(content), for: platform, in: context)
    }
}
