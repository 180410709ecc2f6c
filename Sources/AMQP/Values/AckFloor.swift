/// Turns completions in any order into acknowledgements of everything up to a tag.
///
/// An acknowledgement with `multiple` covers every lower tag of the channel, also those another task has taken and
/// not finished. The broker numbers the deliveries of a channel 1, 2, 3, …, so the floor moves only over an unbroken
/// run from 1: a tag that was never registered or completed holds it. One floor serves one consumer.
public struct AckFloor: Sendable {
    private enum Mark: UInt8 {
        case open
        case done
        case settled
    }

    private var epoch: UInt64 = 0
    private var floor: UInt64 = 0
    private var marks: [Mark] = []
    private var head = 0
    private var completedAbove = 0

    /// Makes an empty floor.
    public init() {}

    /// How many registered tags are not done yet.
    public var outstanding: Int {
        marks.count - head - completedAbove
    }

    /// Notes tags taken from the consumer; the first tag of a newer channel forgets the older one.
    public mutating func register(_ tag: DeliveryTag) {
        guard admits(tag), tag.value > floor else { return }
        extend(to: tag.value)
    }

    /// Marks tags as done, to be acknowledged.
    ///
    /// - Returns: the tag to acknowledge with `multiple`, nil when the floor did not move.
    public mutating func complete(_ tags: [DeliveryTag]) -> DeliveryTag? {
        for tag in tags { mark(tag, .done) }
        return advance()
    }

    /// Marks one tag as done, to be acknowledged.
    ///
    /// - Returns: the tag to acknowledge with `multiple`, nil when the floor did not move.
    public mutating func complete(_ tag: DeliveryTag) -> DeliveryTag? {
        mark(tag, .done)
        return advance()
    }

    /// Marks a tag that was rejected on its own.
    ///
    /// It is never returned as a floor: RabbitMQ closes the channel (406) when a multiple acknowledgement names a tag
    /// that is already settled.
    ///
    /// - Returns: the tag to acknowledge with `multiple`, nil when there is none.
    public mutating func settle(_ tag: DeliveryTag) -> DeliveryTag? {
        mark(tag, .settled)
        return advance()
    }

    private mutating func admits(_ tag: DeliveryTag) -> Bool {
        if tag.epoch > epoch {
            self = AckFloor()
            epoch = tag.epoch
        }
        return tag.epoch == epoch
    }

    private mutating func extend(to value: UInt64) {
        let needed = head + Int(value - floor)
        while marks.count < needed { marks.append(.open) }
    }

    private mutating func mark(_ tag: DeliveryTag, _ mark: Mark) {
        guard admits(tag), tag.value > floor else { return }
        extend(to: tag.value)
        let index = head + Int(tag.value - floor) - 1
        guard marks[index] == .open else { return }
        marks[index] = mark
        completedAbove += 1
    }

    private mutating func advance() -> DeliveryTag? {
        var acknowledged: DeliveryTag?
        while head < marks.count, marks[head] != .open {
            floor += 1
            if marks[head] == .done { acknowledged = DeliveryTag(value: floor, epoch: epoch) }
            head += 1
            completedAbove -= 1
        }
        compact()
        return acknowledged
    }

    private mutating func compact() {
        guard head > 256, head * 2 > marks.count else { return }
        marks.removeFirst(head)
        head = 0
    }
}
