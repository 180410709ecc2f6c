/// What happened to a channel, told to other services; it never holds a push channel.
public struct ChannelEvent: Hashable, Sendable {
    /// What an event says; the raw value is its routing key, and the end of its type.
    public enum Kind: String, CaseIterable, Hashable, Sendable {
        /// Nothing is sent on the channel any more.
        case stopped = "channel.stopped"

        /// Pushes flow again.
        case resumed = "channel.resumed"
    }

    /// What happened.
    public let kind: Kind

    /// The name of the hub; nil for all hubs.
    public let hub: String?

    /// The pause that begins or ends.
    public let pause: ChannelPause

    /// How many devices were registered again because of it.
    public let restored: Int

    /// When it happened.
    public let time: Timestamp

    /// Takes checked values.
    public init(kind: Kind, hub: String?, pause: ChannelPause, restored: Int, time: Timestamp) {
        self.kind = kind
        self.hub = hub
        self.pause = pause
        self.restored = restored
        self.time = time
    }
}

/// The event as one message of the exchange `push.events`.
///
/// Source: CloudEvents 1.0.2, “JSON event format” and “AMQP protocol binding”, structured content mode.
extension ChannelEvent {
    /// The CloudEvent as compact JSON.
    public func encode() -> [UInt8] {
        let source = hub.map { "/hubs/" + $0 } ?? "/hubs"
        let subject = [pause.key.platform.name, environment, target].compactMap { $0 }.joined(separator: "/")
        var writer = JSONWriter()
        writer.beginObject()
        writer.member("specversion", "1.0")
        // Told again it has the same id: a channel's pauses are numbered.
        writer.member("id", "\(source)/\(subject) \(pause.revision)")
        writer.member("source", source)
        writer.member("type", "dispatcher." + kind.rawValue)
        writer.member("subject", subject)
        writer.member("time", time.rfc3339)
        writer.member("datacontenttype", "application/json")
        writer.key("data")
        writeData(to: &writer)
        writer.endObject()
        return writer.bytes
    }

    private func writeData(to writer: inout JSONWriter) {
        writer.beginObject()
        writer.member("hub", hub)
        writer.member("platform", pause.key.platform.name)
        writer.member("environment", environment)
        writer.member(pause.key.platform == .browser ? "origin" : "topic", target)
        writer.member("cause", pause.cause.rawValue)
        writer.member("reason", pause.reason)
        writer.member("round", pause.round)
        if kind == .stopped { writer.member("nextProbeAt", pause.until.rfc3339) }
        writer.member("restored", restored)
        writer.endObject()
    }

    private var target: String? { pause.key.target.isEmpty ? nil : pause.key.target }

    private var environment: String? {
        guard pause.key.platform == .apns else { return nil }
        return (pause.key.isSandbox ? APNsEnvironment.sandbox : .production).rawValue
    }
}
