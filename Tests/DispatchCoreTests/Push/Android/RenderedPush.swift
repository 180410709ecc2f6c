import Testing

@testable import DispatchCore

/// What one device gets, as a document that can be looked into.
struct RenderedPush {
    let push: PreparedPush
    let text: String
    let body: JSONValue

    static let platforms: [Platform] = [.fcmV1, .hms, .adm]

    /// Renders a job's `content`.
    init(
        _ content: String,
        on platform: Platform,
        priority: SendPriority = .normal,
        expiresIn microseconds: Int64? = nil,
        collapseKey: String? = nil,
        category: ActionCategory? = nil
    ) throws {
        let options = PushOptions(
            notification: PushExample.job,
            priority: priority,
            expiresAt: microseconds.map { PushExample.now + .microseconds($0) },
            collapseKey: collapseKey
        )
        let context = RenderContext(options: options, now: PushExample.now, category: category)
        let content = try Content(decoding: JSONParser.parse(Array(content.utf8)))
        try self.init(PushRenderer.prepare(.neutral(content), for: platform, in: context))
    }

    /// Renders a native payload.
    init(native payload: String, on platform: Platform) throws {
        let options = PushOptions(notification: PushExample.job)
        let payload = try JSONParser.parse(Array(payload.utf8))
        let context = RenderContext(options: options, now: PushExample.now)
        try self.init(PushRenderer.prepare(.native([platform: payload]), for: platform, in: context))
    }

    private init(_ push: PreparedPush) throws {
        self.push = push
        let bytes = push.body(channel: "token:1")
        text = String(decoding: bytes, as: UTF8.self)
        body = try JSONParser.parse(bytes)
    }

    /// The value at a path such as `message.android.ttl`.
    subscript(path: String) -> JSONValue? {
        path.split(separator: ".").reduce(body as JSONValue?) { value, name in value?[String(name)] }
    }

    /// The members that the app finds, on any of the three platforms.
    var data: [JSONMember] {
        get throws {
            switch push.platform {
            case .hms:
                let text = try #require(self["message.data"]?.string)
                return try #require(JSONParser.parse(Array(text.utf8)).members)
            default:
                return try #require((self["message.data"] ?? self["data"])?.members)
            }
        }
    }

    /// What the system draws, or nil when the app does.
    var drawn: JSONValue? { self["message.android.notification"] ?? self["notification"] }

    /// The refusal of a native payload: its code and the member at fault, without the platform's own prefix.
    static func refusal(native payload: String, on platform: Platform) -> String {
        let error = #expect(throws: RenderError.self) { try RenderedPush(native: payload, on: platform) }
        guard let error else { return "none" }
        return "\(error.code.rawValue) \((error.member ?? "-").replacing("native.\(platform.name)", with: ""))"
    }
}
