import Testing

@testable import DispatchCore

@Suite("Properties of badges")
struct BadgePropertyTests {
    private static func text(_ content: Content, unread: Int?, on platform: Platform) throws -> String {
        let options = PushOptions(notification: PushExample.job)
        let context = RenderContext(options: options, now: PushExample.now, unread: unread)
        let push = try PushRenderer.prepare(.neutral(content), for: platform, in: context)
        return String(decoding: push.body(channel: "t"), as: UTF8.self)
    }

    @Test(
        "no badge, zero, a number and the unread are told apart",
        arguments: [Platform.apns, .fcmV1, .browser, .adm, .hms]
    )
    func shown(platform: Platform) throws {
        for hasClass in [false, true] {
            func text(_ badge: Badge?, unread: Int? = nil) throws -> String {
                var content = Content(title: "x", body: "y", badge: badge)
                if hasClass {
                    content.hms = HMSContent()
                    content.hms?.badgeClass = "com.example.Main"
                }
                return try Self.text(content, unread: unread, on: platform)
            }
            let different = try [text(nil), text(.count(0)), text(.count(1)), text(.count(12))]
            #expect(Set(different).count == 4, "\(platform.name): \(different)")
            #expect(try text(.unread, unread: 0) == text(.count(0)))
            #expect(try text(.unread, unread: 12) == text(.count(12)))
            #expect(try text(.unread) == text(nil))
            #expect(try text(nil, unread: 12) == text(nil))
        }
    }

    @Test("a badge alone is a push of its own where the platform has one", arguments: [Platform.apns, .wns])
    func alone(platform: Platform) throws {
        func text(_ badge: Badge, unread: Int? = nil) throws -> String {
            try Self.text(Content(badge: badge), unread: unread, on: platform)
        }
        let different = try [text(.count(0)), text(.count(1)), text(.count(99))]
        #expect(Set(different).count == 3)
        #expect(try text(.unread, unread: 0) == text(.count(0)))
    }

    @Test("null is never the same as absent: each member that is null is refused, wherever it stands")
    func null() throws {
        // What a sender's own data holds is nobody's business.
        let opaque = ["data", "update", "contentState", "attributes", "native", "template", "templates"]
        for seed in PropertyCount.seeds {
            var generator = DocumentGenerator(seed: seed)
            let documents: [(JSONValue, (JSONValue) throws -> Void)] = [
                (generator.job(), { _ = try SendJob(decoding: $0, messageID: nil) }),
                (generator.installation(), { _ = try Installation(decoding: $0) }),
                (generator.category(), { _ = try ActionCategory(decoding: $0) }),
                (generator.receipt(), { _ = try Receipt(decoding: $0) }),
            ]
            for (document, decode) in documents {
                try decode(document)
                for broken in document.withOneNull(outside: opaque) {
                    #expect(throws: JobError.self, "seed \(seed): \(broken)") { try decode(broken) }
                }
            }
        }
    }
}

extension JSONValue {
    /// The document with each of its members and elements in turn replaced by null.
    fileprivate func withOneNull(outside opaque: [String]) -> [JSONValue] {
        switch self {
        case .null, .bool, .number, .string: return []
        case .array(let elements):
            return elements.indices.flatMap { index in
                ([.null] + elements[index].withOneNull(outside: opaque)).map { changed -> JSONValue in
                    var copy = elements
                    copy[index] = changed
                    return .array(copy)
                }
            }
        case .object(let members):
            return members.indices.flatMap { index in
                let inner =
                    opaque.contains(members[index].name) ? [] : members[index].value.withOneNull(outside: opaque)
                return ([.null] + inner).map { changed -> JSONValue in
                    var copy = members
                    copy[index] = JSONMember(name: members[index].name, value: changed)
                    return .object(copy)
                }
            }
        }
    }
}
