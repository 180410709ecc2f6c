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
        guard let (time, number) = PagePlace.numbers(text, separator: ".") else { return nil }
        self.init(time: Timestamp(microseconds: time), notification: NotificationID(rawValue: number))
    }
}
