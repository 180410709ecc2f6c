/// What Apple's rules make of a body: those for native payloads.
///
/// Apple, "Generating a remote notification" and "Sending notification requests to APNs".
struct APNsTemplateRules: Hashable, Sendable {
    private let outline: TemplateOutline

    init(_ body: JSONValue, syntax: TemplateSyntax) throws(TemplateError) {
        guard let aps = body["aps"] else { throw TemplateError(.platformRule, reason: "The body has no member aps.") }
        guard aps.members != nil else {
            throw TemplateError(.platformRule, path: "$.aps", reason: "aps must be an object.")
        }
        let members = (body.members ?? []).filter { $0.name == "aps" || $0.name == "mdm" }
        outline = try TemplateOutline(.object(members), platform: .apns, syntax: syntax)
    }

    /// The push type of what these properties make, `asked` or else by its members; and whether it has a sound that must be
    /// left out, as native background pushes do.
    func pushType(
        _ properties: TemplateProperties,
        asked: APNsPushType?
    ) throws(RenderError) -> (type: APNsPushType, hasIdleSound: Bool) {
        guard let value = outline.value(properties) else {
            throw RenderError(code: .malformedNative, platform: .apns, reason: "its rendering is no JSON")
        }
        let payload = try APNsNativePayload(value)
        let type = try payload.pushType(asked: asked)
        return (type, type == .background && payload["sound"] != nil)
    }

    /// Why the body can be sent as none of these push types, whatever the properties are; nil stands for the derived type,
    /// the only one of a Live Activity.
    func objection(to types: [APNsPushType?]) -> RenderError? {
        guard let settled = outline.settled else { return nil }
        let types = settled["aps"]?["event"] != nil && types.contains(nil) ? [nil] : types
        let nothing = TemplateProperties([])
        var objection: RenderError?
        for type in types {
            do {
                _ = try pushType(nothing, asked: type)
                return nil
            } catch {
                objection = objection ?? error
            }
        }
        return objection
    }
}
