/// The event as one message of the exchange `push.events`.
///
/// Source: CloudEvents 1.0.2, “JSON event format” and “AMQP protocol binding”, structured content mode.
extension NotificationEvent {
    /// The media type of what `encode` writes.
    public static let contentType = "application/cloudevents+json"

    /// What listeners bind their queues to: `notification.` and the kind.
    public var routingKey: String { "notification." + kind.rawValue }

    /// The CloudEvent as compact JSON.
    public func encode() -> [UInt8] {
        let notification = notificationID.description
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("specversion", "1.0")
        writer.member("id", id)
        writer.member("source", "/hubs/" + hub)
        writer.member("type", "dispatcher.notification." + kind.rawValue)
        writer.member("subject", notification)
        writer.member("time", time.rfc3339)
        writer.member("datacontenttype", "application/json")
        writer.key("data")
        writer.beginObject()
        writer.member("notificationId", notification)
        writeDetails(to: &writer)
        writer.endObject()
        writer.endObject()
        return writer.bytes
    }

    private func writeDetails(to writer: inout JSONWriter) {
        writer.member("installationId", installationID)
        writer.member("userId", userID)
        writer.member("platform", platform?.name)
        writer.member("reason", reason)
        writer.member("attempts", attempts)
        writer.member("actionId", actionID)
        writer.member("text", text)
        writer.member("response", response?.rawValue)
        writer.member("at", at?.rfc3339)
    }
}
