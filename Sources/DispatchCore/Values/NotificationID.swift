/// The hub's own number of one notification: the key every table uses.
///
/// It carries the UTC day it was made on (`id >> 36` is the number of days since 1970-01-01), so that tables can be
/// partitioned by day on the key alone; it fits in 53 bits, so an app may read it as a plain integer.
public struct NotificationID: RawRepresentable, Hashable, Sendable {
    /// The stored value.
    public let rawValue: Int64

    /// Wraps a stored value.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
