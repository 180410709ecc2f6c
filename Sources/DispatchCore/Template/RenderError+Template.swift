extension RenderError {
    /// The reason, told of a template's body instead of a native payload.
    var reasonInBody: String {
        guard let place = placeInBody, !place.isEmpty, !reason.hasPrefix(root) else {
            return reason.replacing(root, with: "body")
        }
        return "body\(place): \(reason)"
    }

    /// The same as a template's mistake.
    var templateError: TemplateError {
        TemplateError(.platformRule, path: "$" + (placeInBody ?? ""), reason: reasonInBody + ".")
    }

    private var root: String { "native.\(platform.name)" }

    /// The member below the body, with its dot; nil when another part of the job is at fault.
    private var placeInBody: String? {
        guard let member, member.hasPrefix(root) else { return nil }
        return String(member.dropFirst(root.count))
    }
}
