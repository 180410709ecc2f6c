/// What Apple's rules make of a body, whatever its properties are.
///
/// Apple, "Generating a remote notification" and "Sending notification requests to APNs".
struct APNsTemplateRules: Hashable, Sendable {
    /// The push type that follows from the members of `aps`.
    let type: APNsPushType

    private let isShown: Bool
    private let wakesApp: Bool

    init(_ body: JSONValue) throws(TemplateError) {
        guard let aps = body["aps"] else { throw TemplateError(.platformRule, reason: "The body has no member aps.") }
        guard aps.members != nil else {
            throw TemplateError(.platformRule, path: "$.aps", reason: "aps must be an object.")
        }
        isShown = ["alert", "badge", "sound"].contains { aps[$0] != nil }
        wakesApp = aps["content-available"] != nil
        if aps["event"] != nil, aps["content-state"] != nil {
            type = .liveactivity
        } else {
            type = isShown ? .alert : .background
        }
    }

    /// Why the body cannot be sent as `type`; nil when it can.
    func objection(to type: APNsPushType) -> String? {
        switch type {
        case .alert where !isShown: "alert needs an alert, a badge or a sound in aps"
        case .background where isShown: "background allows no alert, badge and sound in aps"
        case .background where !wakesApp: "a push that shows nothing needs content-available 1 in aps"
        default: nil
        }
    }
}
