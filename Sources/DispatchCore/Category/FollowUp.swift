/// The job that a rule makes of a notification that was answered.
public struct FollowUp: Hashable, Sendable {
    /// The same for the same answer by the same rule, so that it is one notification however often it is made.
    public let id: UUIDValue

    /// The job's document.
    public let document: JSONValue

    /// Options of the answered job that are about its own moment, or that this one has of its own.
    private static let past: Set<String> = ["sendAt", "timeZone", "expiresAt", "ttlSeconds", "replaces", "inbox"]

    /// Makes the job; nil when the answered one has no neutral content.
    ///
    /// - Parameters:
    ///   - rule: What is to become of it.
    ///   - id: The new job's id.
    ///   - original: The document of the answered job, which may lack its id.
    ///   - notification: The answered job's id.
    ///   - number: The hub's number of it.
    ///   - devices: Whom it is for.
    ///   - expiresAt: When the change is worthless.
    public init?(
        of rule: CategoryRule,
        id: UUIDValue,
        original: JSONValue,
        notification: UUIDValue,
        number: NotificationID,
        devices: [String],
        expiresAt: Timestamp
    ) {
        guard let content = original["content"]?.members else { return nil }
        let to = [JSONMember(name: "installations", value: .array(devices.map(JSONValue.string)))]
        let platforms = original["to"]?["platforms"].map { [JSONMember(name: "platforms", value: $0)] } ?? []
        let kept = (original["options"]?.members ?? []).filter { !Self.past.contains($0.name) }
        let options = [
            JSONMember(name: "replaces", value: .string(notification.description)),
            JSONMember(name: "expiresAt", value: .string(expiresAt.rfc3339)),
            JSONMember(name: "inbox", value: .bool(false)),
        ]
        let changed = Content.updating(content, by: rule.update, number: number)
        self.id = id
        document = .object(
            [JSONMember(name: "id", value: .string(id.description))]
                + (original["hub"].map { [JSONMember(name: "hub", value: $0)] } ?? [])
                + [
                    JSONMember(name: "to", value: .object(to + platforms)),
                    JSONMember(name: "content", value: .object(changed)),
                    JSONMember(name: "options", value: .object(kept + options)),
                ]
        )
    }
}
