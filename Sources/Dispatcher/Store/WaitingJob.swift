import DispatchCore

/// A job that the broker has confirmed and that is no notification: not yet, or never.
struct WaitingJob: Sendable {
    let takenAt: Timestamp

    /// Why a worker has rejected it, if one has.
    let reason: String?

    func document(id: UUIDValue, hub: String) -> [UInt8] {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, text) in [
            ("id", id.description), ("hub", hub), ("state", reason == nil ? "queued" : "rejected"),
            ("createdAt", takenAt.rfc3339),
        ] {
            writer.key(name)
            writer.string(text)
        }
        if let reason {
            writer.key("reason")
            writer.string(reason)
        }
        writer.endObject()
        return writer.bytes
    }
}
