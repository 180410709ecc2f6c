import DispatchCore
import Testing

/// One named content and its options, rendered to one golden file per platform.
struct PushExample: Sendable, CustomTestStringConvertible {
    let name: String
    let content: Content
    let options: PushOptions

    var testDescription: String { name }

    var context: RenderContext { RenderContext(options: options, now: Self.now) }

    static let job = UUIDValue(high: 0x0193_F2C4_0000_7000, low: 0x8000_0000_0000_0001)
    static let now = Timestamp(microseconds: 1_700_000_000_900_000)

    init(
        _ name: String,
        _ content: Content,
        priority: SendPriority = .normal,
        expiresAt: Timestamp? = nil,
        collapseKey: String? = nil
    ) {
        self.name = name
        self.content = content
        options = PushOptions(
            notification: Self.job,
            priority: priority,
            expiresAt: expiresAt,
            collapseKey: collapseKey
        )
    }

    static let all: [PushExample] = [
        PushExample("alert", Content(title: "Event invite", body: "Dinner on Friday?"), priority: .high),
        PushExample("subtitle", Content(title: "Recipe", subtitle: "Today", body: "Soup")),
        PushExample("badge-absent", Content(body: "Hello")),
        PushExample("badge-zero", Content(body: "Hello", badge: .count(0))),
        PushExample("badge-number", Content(body: "Hello", badge: .count(12))),
        PushExample("badge-only", Content(badge: .count(3))),
        PushExample("sound", Content(body: "Ding", sound: .named("bell.caf"))),
        PushExample(
            "category-thread",
            Content(body: "Dinner?", category: "event-invite", thread: "message-alice")
        ),
        PushExample(
            "options",
            Content(title: "Last call"),
            priority: .low,
            expiresAt: Timestamp(seconds: 1_700_003_600),
            collapseKey: "invite-7"
        ),
        PushExample(
            "data",
            Content(
                title: "Trip",
                data: [
                    JSONMember(name: "location", value: .string("Aconcagua")),
                    JSONMember(name: "height", value: .number(JSONNumber(6961))),
                    JSONMember(name: "exact", value: JSONNumber(text: "1.10").map { .number($0) } ?? .null),
                    JSONMember(
                        name: "route",
                        value: .object([
                            JSONMember(name: "camps", value: .array([.string("Canada"), .string("Nido")])),
                            JSONMember(name: "done", value: .bool(false)),
                        ])
                    ),
                    JSONMember(name: "guide", value: .null),
                ]
            )
        ),
        PushExample(
            "silent",
            Content(
                category: "event-invite",
                data: [
                    JSONMember(name: "richId", value: .number(JSONNumber(17))),
                    JSONMember(name: "richMessage", value: .string("A new picture")),
                    JSONMember(name: "richType", value: .string("img")),
                ]
            ),
            priority: .high
        ),
        PushExample("escapes", Content(title: "\"Ä\\/🎉\"", body: "a\nb\tc\u{1}\u{7F}")),
    ]
}
