/// A payload that the sender wrote for Apple, looked at only as far as Apple has rules.
///
/// Sources: Apple, "Generating a remote notification", "Pushing background updates to your app" and "Starting and
/// updating Live Activities with ActivityKit push notifications".
struct APNsNativePayload {
    private let payload: JSONValue
    private let aps: JSONValue?

    /// Refuses what is no object, or has an `aps` that is none.
    init(_ payload: JSONValue) throws(RenderError) {
        guard payload.members != nil else { throw .malformed("native.apns", "the payload is not an object") }
        aps = payload["aps"]
        self.payload = payload
        guard aps == nil || aps?.members != nil else { throw .malformed("native.apns.aps", "aps is not an object") }
    }

    /// The member of `aps` with this name, other than null.
    subscript(name: String) -> JSONValue? {
        let value = aps?[name]
        return value == .null ? nil : value
    }

    /// The payload with a `sound` in `aps` left out.
    var withoutSound: JSONValue {
        let members = (payload.members ?? []).map { member in
            guard member.name == "aps", let aps = member.value.members else { return member }
            return JSONMember(name: "aps", value: .object(aps.filter { $0.name != "sound" }))
        }
        return .object(members)
    }

    /// The push type that the payload asks for, or the one the job asks for where Apple allows it.
    func pushType(asked: APNsPushType?) throws(RenderError) -> APNsPushType {
        let type = if let asked { asked } else { try derivedType() }
        try checkValues(isActivity: type == .liveactivity)
        switch type {
        case .alert: try checkAlert()
        case .background: try checkBackground()
        case .liveactivity: try checkActivity()
        case .mdm:
            guard payload["mdm"]?.string != nil else {
                throw .rule("native.apns.mdm", "mdm needs the member mdm, a text")
            }
        case .widgets, .controls:
            guard self["content-changed"] == .bool(true) else {
                throw .rule(Self.path("content-changed"), "\(type.rawValue) needs content-changed true in aps")
            }
        case .location, .voip, .complication, .fileprovider, .pushtotalk: break
        }
        return type
    }

    private func derivedType() throws(RenderError) -> APNsPushType {
        guard aps != nil else { throw .malformed("native.apns", "the payload has no aps object") }
        guard !isActivity else { return .liveactivity }
        return isShown ? .alert : .background
    }

    /// Whether the device shows, counts or plays something; an empty sound is none.
    private var isShown: Bool {
        self["alert"] != nil || self["badge"] != nil || (self["sound"].map { $0 != .string("") } ?? false)
    }

    /// Apple knows `event` in Live Activities alone; the end of one needs no new state.
    private var isActivity: Bool { self["event"] != nil }

    private static func path(_ name: String) -> String { "native.apns.aps." + name }
}

extension APNsNativePayload {
    private func checkAlert() throws(RenderError) {
        guard isShown else {
            throw .rule(APNsRenderer.pushTypeMember, "alert needs an alert, a badge or a sound in aps")
        }
        guard !isActivity else {
            throw .rule(APNsRenderer.pushTypeMember, "a Live Activity is sent as liveactivity, not as alert")
        }
    }

    private func checkBackground() throws(RenderError) {
        guard !isShown else {
            throw .rule(APNsRenderer.pushTypeMember, "background allows no alert, badge and sound in aps")
        }
        guard case .number(let flag) = self["content-available"], flag.double == 1 else {
            throw .rule(Self.path("content-available"), "a push that shows nothing needs content-available 1")
        }
    }

    private func checkActivity() throws(RenderError) {
        let event = self["event"]?.string.flatMap(LiveActivity.Event.init(rawValue:))
        guard let event else { throw .rule(Self.path("event"), "liveactivity needs the event start, update or end") }
        guard case .number = self["timestamp"] else {
            throw .rule(Self.path("timestamp"), "liveactivity needs a timestamp in seconds")
        }
        guard event == .end || self["content-state"]?.members != nil else {
            throw .rule(Self.path("content-state"), "\(event.rawValue) needs the object content-state")
        }
        guard event == .start else { return }
        guard self["attributes-type"]?.string != nil else {
            throw .rule(Self.path("attributes-type"), "start needs attributes-type")
        }
        guard self["attributes"]?.members != nil else {
            throw .rule(Self.path("attributes"), "start needs the object attributes")
        }
        guard self["alert"] != nil else { throw .rule(Self.path("alert"), "start needs an alert") }
    }

    private func checkValues(isActivity: Bool) throws(RenderError) {
        for flag in ["content-available", "mutable-content", "input-push-token"] {
            try Self.checkFlag(self[flag], Self.path(flag))
        }
        try checkText("alert")
        try checkText("sound")
        try checkBadge()
        try checkLevel()
        for name in ["loc-args", "title-loc-args", "subtitle-loc-args"] { try checkArguments(name) }
        try Self.checkFlag(self["sound"]?["critical"], Self.path("sound.critical"))
        try Self.checkShare(self["sound"]?["volume"], Self.path("sound.volume"))
        if !isActivity { try Self.checkShare(self["relevance-score"], Self.path("relevance-score")) }
    }

    private func checkBadge() throws(RenderError) {
        guard let badge = self["badge"] else { return }
        guard let count = try Self.number(badge, Self.path("badge")).int64, count >= 0 else {
            throw .rule(Self.path("badge"), "badge is a whole number, not below 0")
        }
    }

    private func checkLevel() throws(RenderError) {
        guard let level = self["interruption-level"] else { return }
        guard level.string.flatMap(InterruptionLevel.init(rawValue:)) != nil else {
            let words = InterruptionLevel.allCases.map(\.rawValue).joined(separator: ", ")
            throw .rule(Self.path("interruption-level"), "interruption-level is one of \(words)")
        }
    }

    private func checkArguments(_ name: String) throws(RenderError) {
        guard let arguments = self["alert"]?[name], arguments != .null else { return }
        guard arguments.elements?.allSatisfy({ $0.string != nil }) == true else {
            throw .rule(Self.path("alert.\(name)"), "\(name) is an array of texts")
        }
    }

    private func checkText(_ name: String) throws(RenderError) {
        switch self[name] {
        case nil, .string, .object: return
        case .null, .bool, .number, .array: throw .rule(Self.path(name), "\(name) is a text or an object")
        }
    }

    /// Apple's flags are the number 1; `true` is another value to the device.
    private static func checkFlag(_ value: JSONValue?, _ path: String) throws(RenderError) {
        guard let value else { return }
        guard case .number(let flag) = value, flag.double == 1 || flag.double == 0 else {
            throw .rule(path, "the flag is set by the number 1")
        }
    }

    private static func checkShare(_ value: JSONValue?, _ path: String) throws(RenderError) {
        guard let value else { return }
        guard let share = try number(value, path).double, (0...1).contains(share) else {
            throw .rule(path, "must be from 0 to 1")
        }
    }

    private static func number(_ value: JSONValue, _ path: String) throws(RenderError) -> JSONNumber {
        guard case .number(let number) = value else { throw .rule(path, "must be a number") }
        return number
    }
}

extension RenderError {
    fileprivate static func malformed(_ member: String, _ reason: String) -> RenderError {
        RenderError(code: .malformedNative, platform: .apns, member: member, reason: reason)
    }
}
