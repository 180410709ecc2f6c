import DispatchCore

/// A place in an inbox, whose order is that of the times at which audiences were planned.
struct InboxPosition: Hashable, Sendable {
    let time: Timestamp
    let notification: NotificationID

    /// As clients hand it back; to them it is a word without a meaning.
    var text: String { "\(time.microseconds).\(notification.rawValue)" }

    init(time: Timestamp, notification: NotificationID) {
        self.time = time
        self.notification = notification
    }

    /// Reads what `text` has written; nil for anything else.
    init?(text: String) {
        let parts = text.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 2, let time = Int64(parts[0]), let number = Int64(parts[1]) else { return nil }
        self.init(time: Timestamp(microseconds: time), notification: NotificationID(rawValue: number))
        // One spelling only, and a time that PostgreSQL knows.
        guard self.text.utf8.elementsEqual(text.utf8), Self.times.contains(time), number >= 0 else { return nil }
    }

    /// The years 1970 to 9999.
    private static let times: ClosedRange<Int64> = 0...253_402_300_799_999_999
}
