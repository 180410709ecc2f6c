/// The broker's number for one delivery, valid only on the channel that delivered it.
///
/// The broker numbers the deliveries of a channel 1, 2, 3 and so on. A tag of an earlier channel means nothing to the
/// next one (its message was requeued), so every tag carries the epoch of its channel and stale ones are dropped.
public struct DeliveryTag: Sendable, Hashable, Comparable {
    /// The number the broker gave, starting at 1 on each channel.
    public let value: UInt64

    /// Which channel of this process the tag belongs to; later channels have higher epochs.
    public let epoch: UInt64

    /// Makes a tag, which only tests and the client itself need.
    public init(value: UInt64, epoch: UInt64) {
        self.value = value
        self.epoch = epoch
    }

    /// Orders by channel first, then by delivery order on it.
    public static func < (left: DeliveryTag, right: DeliveryTag) -> Bool {
        (left.epoch, left.value) < (right.epoch, right.value)
    }
}
