import DispatchCore

/// A notification's status in words, as a bar, and as JSON.
enum StatusReport {
    static func text(_ status: NotificationStatus) -> String {
        let counts = status.counts.filter { $0.value > 0 || $0.name == "audience" }
        let lines = [
            ("id", status.id.description), ("hub", status.hub), ("target", status.target), ("state", status.state),
        ]
        return (lines + counts.map { ($0.name, String($0.value)) })
            .map { name, value in name + String(repeating: " ", count: 12 - name.count) + value }
            .joined(separator: "\n")
    }

    static func json(_ status: NotificationStatus) -> String {
        var writer = JSONWriter()
        writer.beginObject()
        for (name, value) in [("id", status.id.description), ("hub", status.hub), ("state", status.state)] {
            writer.key(name)
            writer.string(value)
        }
        writer.key("target")
        writer.string(status.target)
        for (name, value) in status.counts {
            writer.key(name)
            writer.number(value)
        }
        writer.key("createdAt")
        writer.string(status.createdAt.rfc3339)
        if let finishedAt = status.finishedAt {
            writer.key("finishedAt")
            writer.string(finishedAt.rfc3339)
        }
        writer.endObject()
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// A bar with rate and estimated end, measured since the command started to look.
    static func progress(_ status: NotificationStatus, since first: Int, elapsed: Duration) -> String {
        let seconds = max(Double(elapsed.microseconds) / 1_000_000, 0.001)
        let rate = Double(status.finished - first) / seconds
        let left = Double(status.audience - status.finished)
        let end = rate > 0 ? "about \(Int(left / rate)) s left" : "waiting"
        let bar = Progress.bar(done: status.finished, of: status.audience)
        return "\(bar) \(status.finished)/\(status.audience) \(status.state) \(Int(rate))/s \(end)"
    }
}
