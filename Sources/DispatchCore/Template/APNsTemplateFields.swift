/// The header fields of one push to Apple that its template sets.
///
/// Apple, "Sending notification requests to APNs".
struct APNsTemplateFields {
    var type: APNsPushType?
    var priority: String?
    var expiry: TemplateExpiry?
    var collapseID: String?
    var others: [PushHeader] = []

    /// Why a push of `type` cannot have the priority; nil when it can.
    func objection(as type: APNsPushType) -> String? {
        guard let priority, !type.priorities.contains(priority) else { return nil }
        return "the apns-priority of \(type.rawValue) is \(type.priorities.joined(separator: " or "))"
    }

    /// Takes the value of a header; says why when it cannot be sent.
    ///
    /// An empty one counts as none.
    mutating func set(_ name: String, _ value: String) -> String? {
        guard !value.isEmpty else { return nil }
        switch name {
        case "apns-push-type":
            type = APNsPushType(rawValue: value)
            return type == nil ? "apns-push-type is none of Apple's" : nil
        case "apns-priority":
            priority = value
            return ["1", "5", "10"].contains(value) ? nil : "apns-priority is not 1, 5 or 10"
        case "apns-expiration":
            expiry = Int64(value).flatMap { TemplateExpiry.seconds.contains($0) ? TemplateExpiry(seconds: $0) : nil }
            return expiry == nil ? "apns-expiration is not 0 or the seconds of a time" : nil
        case "apns-collapse-id": collapseID = APNsRenderer.collapseID(for: value)
        default: others.append(PushHeader(name, value))
        }
        return nil
    }
}
