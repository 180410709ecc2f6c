import DispatchCore
import Foundation
import Testing

/// One example of Fixtures/examples.json: a content or native payloads with options, rendered to one golden file per
/// platform.
struct PushExample: Sendable, CustomTestStringConvertible {
    let name: String
    let content: JobContent
    let context: RenderContext

    var testDescription: String { name }

    static let job = UUIDValue(high: 0x0193_F2C4_0000_7000, low: 0x8000_0000_0000_0001)
    static let now = Timestamp(microseconds: 1_700_000_000_900_000)

    /// All examples; a file that cannot be read leaves none, which a test of its own notices.
    static let all: [PushExample] = (try? read()) ?? []

    static func read() throws -> [PushExample] {
        let document = try JSONParser.parse(Fixture.bytes("examples.json"))
        return try (document.elements ?? []).map { try PushExample($0) }
    }

    private init(_ value: JSONValue) throws {
        name = value["name"]?.string ?? ""
        let members = ["content", "native", "options"].compactMap { member in
            value[member].map { JSONMember(name: member, value: $0) }
        }
        let audience = JSONValue.object([JSONMember(name: "broadcast", value: .bool(true))])
        let job = try SendJob(
            decoding: .object([JSONMember(name: "to", value: audience)] + members),
            messageID: Self.job.description
        )
        content = job.content
        let expiry = job.options.expiry(acceptedAt: Self.now)
        var context = RenderContext(
            options: PushOptions(notification: job.id, options: job.options, expiresAt: expiry),
            now: Self.now
        )
        if case .number(let unread) = value["unread"] { context.unread = unread.int64.map { Int($0) } }
        context.locale = value["locale"]?.string
        if case .number(let number) = value["number"] {
            context.number = number.int64.map { NotificationID(rawValue: $0) }
        }
        context.contentURL = value["contentURL"]?.string
        context.category = try value["category"].map { try ActionCategory(decoding: $0) }
        self.context = context
    }
}

extension PushExample {
    /// What is sent to one device of `platform`: header lines, an empty line and the body, or why nothing is.
    func rendered(for platform: Platform) -> String {
        do throws(RenderError) {
            let push = try PushRenderer.prepare(content, for: platform, in: context)
            let request = PushRequest(
                push: push,
                notification: Self.job,
                number: NotificationID(rawValue: 7),
                installation: InstallationKey(rawValue: 9),
                installationID: "phone",
                channel: Self.channel(of: platform),
                topic: "com.example.app",
                attempt: 1
            )
            let headers = request.headers(now: context.now).map { "\($0.name): \($0.value)\n" }.joined()
            return headers + "\n" + String(decoding: push.body(channel: request.channel), as: UTF8.self)
        } catch {
            return "refused: \(error.code.rawValue) \(error.member ?? "-")\n\(error.reason)"
        }
    }

    private static func channel(of platform: Platform) -> String {
        switch platform {
        case .apns, .adm: "token-1"
        case .fcmV1, .hms: "token:1"
        case .browser: #"{"endpoint":"https://push.example.net/v1/abc","p256dh":"BNcR","auth":"tBHI"}"#
        case .wns: "https://wns2.notify.windows.com/?token=abc"
        }
    }
}
