import DispatchCore
import Testing

@Suite struct SendJobTests {
    static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"

    static func job(_ text: String, messageID: String? = nil) throws(JobError) -> SendJob {
        try SendJob(decoding: Array(text.utf8), messageID: messageID)
    }

    @Test("every member of the documented example arrives")
    func example() throws {
        let job = try Self.job(
            """
            { "id": "0193f2c4-7d1e-7abc-8def-0123456789ab", "hub": "shop",
              "to": { "tags": "username:alice && !muted", "platforms": ["apns", "fcmV1"] },
              "content": { "title": "Event invite", "subtitle": "s", "body": "Dinner on Friday?", "badge": 3,
                           "sound": "default", "category": "event-invite", "thread": "message-alice",
                           "data": { "location": "Aconcagua", "customNumber": 20, "rate": 1.50 } },
              "options": { "priority": "high", "expiresAt": "2026-12-01T12:00:00Z", "collapseKey": "invite-7",
                           "sendAt": "2026-11-30T23:00:00+01:00", "guarantee": "at-most-once" } }
            """
        )
        #expect(job.id.description == Self.id)
        #expect(job.hub == "shop")
        #expect(job.audience == .tags(try TagExpression(parsing: "username:alice&&!muted")))
        #expect(job.platforms.platforms == [.apns, .fcmV1])
        #expect(job.content == .neutral(Self.exampleContent))
        #expect(job.options.priority == .high)
        #expect(job.options.expiresAt?.rfc3339 == "2026-12-01T12:00:00Z")
        #expect(job.options.sendAt?.rfc3339 == "2026-11-30T22:00:00Z")
        #expect(job.options.collapseKey == "invite-7")
        #expect(job.options.guarantee == .atMostOnce)
    }

    static let exampleContent = Content(
        title: "Event invite",
        subtitle: "s",
        body: "Dinner on Friday?",
        badge: .count(3),
        sound: Sound(name: "default"),
        category: "event-invite",
        thread: "message-alice",
        data: [
            JSONMember(name: "location", value: .string("Aconcagua")),
            JSONMember(name: "customNumber", value: .number(JSONNumber(20))),
            JSONMember(name: "rate", value: .number(JSONNumber(text: "1.50") ?? JSONNumber(0))),
        ]
    )

    @Test("what is left out has its default")
    func defaults() throws {
        let job = try Self.job(#"{"to":{"broadcast":true},"content":{"badge":"unread"}}"#, messageID: Self.id)
        #expect(job.id.description == Self.id)
        #expect(job.hub == "default")
        #expect(job.audience == .broadcast)
        #expect(job.platforms.isEmpty)
        #expect(job.platforms.platforms == Platform.allCases)
        #expect(job.content == .neutral(Content(badge: .unread)))
        #expect(job.options == SendOptions())
    }

    @Test("a list of recipients has each of them once, by bytes")
    func recipients() throws {
        let users = try Self.job(
            "{\"id\":\"\(Self.id)\",\"to\":{\"users\":[\"b\",\"a b\",\"b\",\"caf\u{E9}\",\"cafe\u{301}\"]},\"template\":{\"n\":1}}"
        )
        guard case .users(let ids) = users.audience else {
            Issue.record("no users")
            return
        }
        #expect(ids.map { Array($0.utf8).count } == [1, 3, 5, 6])
        let channels = try Self.job(
            #"""
            {"to":{"channels":[{"platform":"apns","token":"ok-1","environment":"sandbox","topic":"t"},
            {"platform":"hms","token":"x"},{"token":"x","platform":"hms"},
            {"platform":"browser","token":{"auth":"c","endpoint":"https://a/b","p256dh":"_-="}}]},
            "native":{"apns":{"aps":{}},"wns":"<toast/>"}}
            """#,
            messageID: Self.id
        )
        let expected: [DirectChannel] = [
            DirectChannel(platform: .apns, token: "ok-1", environment: .sandbox, topic: "t"),
            DirectChannel(platform: .hms, token: "x"),
            DirectChannel(platform: .browser, token: #"{"endpoint":"https://a/b","p256dh":"_-=","auth":"c"}"#),
        ]
        #expect(channels.audience == .channels(expected))
        let aps = JSONValue.object([JSONMember(name: "aps", value: .object([]))])
        #expect(channels.content == .native([.apns: aps, .wns: .string("<toast/>")]))
    }

    @Test("the body's id and the message's id may both be there in either case of letters")
    func agreement() throws {
        let body = #"{"id":"\#(Self.id)","to":{"installations":["i"]},"template":{}}"#
        #expect(try Self.job(body, messageID: Self.id.uppercased()).audience == .installations(["i"]))
        #expect(throws: Never.self) { try Self.job(body, messageID: "") }
    }

    @Test("a local time has no instant until its zones have told theirs, and the time to live counts from the last")
    func localTime() throws {
        let body =
            #"{"to":{"broadcast":true},"content":{"title":"x"},"options":{"timeZone":"device","#
            + #""sendAt":"2026-12-24T18:00:00.5","ttlSeconds":60}}"#
        let options = try Self.job(body, messageID: Self.id).options
        let local = try #require(options.local)
        #expect(options.sendAt == nil && local.zone == .device && local.isPerDevice && local.zoneName == "device")
        #expect(local.text == "2026-12-24T18:00:00.500000" && local.time.rfc3339 == "2026-12-24T18:00:00.500000Z")
        let accepted = Timestamp(seconds: 1_000)
        #expect(options.expiry(acceptedAt: accepted) == Timestamp(seconds: 1_060))
        let resolved = options.resolved(Timestamp(seconds: 2_000)...Timestamp(seconds: 3_000))
        #expect(resolved.sendAt == Timestamp(seconds: 2_000) && resolved.expiry(acceptedAt: accepted)?.seconds == 3_060)
        #expect(throws: Never.self) { try resolved.checkResolved() }
    }

    @Test("a local time whose first instant is not before the end is refused once that is known")
    func localTimeTooLate() throws {
        let body =
            #"{"to":{"broadcast":true},"content":{"title":"x"},"options":{"timeZone":"Europe/Berlin","#
            + #""sendAt":"2026-12-24T18:00:00","expiresAt":"2026-12-24T17:00:00Z"}}"#
        let options = try Self.job(body, messageID: Self.id).options
        #expect(options.local?.zone == .named("Europe/Berlin"))
        let end = try #require(options.expiresAt)
        #expect(throws: Never.self) { try options.checkResolved() }
        #expect(throws: Never.self) { try options.resolved(end + .seconds(-1)...end).checkResolved() }
        let error = #expect(throws: JobError.self) { try options.resolved(end...end).checkResolved() }
        #expect(error?.code == .conflictingMembers && error?.path == "$.options")
    }

    @Test("the time to live counts from sendAt, or from the acceptance")
    func expiry() {
        let accepted = Timestamp(seconds: 1_000)
        let later = Timestamp(seconds: 5_000)
        #expect(SendOptions(ttlSeconds: 60).expiry(acceptedAt: accepted) == Timestamp(seconds: 1_060))
        #expect(SendOptions(ttlSeconds: 60, sendAt: later).expiry(acceptedAt: accepted) == Timestamp(seconds: 5_060))
        #expect(SendOptions(expiresAt: later).expiry(acceptedAt: accepted) == later)
        #expect(SendOptions().expiry(acceptedAt: accepted) == nil)
    }
}
