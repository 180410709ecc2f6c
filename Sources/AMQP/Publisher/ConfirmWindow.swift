/// The messages of one channel that are sent and not confirmed, at most 256 in a row.
struct ConfirmWindow {
    /// A message handed back by the broker, which names no delivery tag.
    struct Returned {
        let exchange: String
        let routingKey: String
        let messageID: String?
        let body: [UInt8]
        let result: PublishResult
    }

    private struct Slot {
        let batch: PublishBatch
        let index: Int
        var returned: PublishResult?
    }

    static let capacity: UInt64 = 256

    private var slots = [Slot?](repeating: nil, count: Int(capacity))
    private var lowest: UInt64 = 1
    private var next: UInt64 = 1

    /// Whether another message may be sent.
    var hasRoom: Bool {
        next - lowest < Self.capacity
    }

    /// Whether everything sent has its answer.
    var isEmpty: Bool {
        next == lowest
    }

    /// Notes a message about to be sent; the broker counts the messages of a channel from 1.
    mutating func add(_ batch: PublishBatch, _ index: Int) {
        slots[Self.position(next)] = Slot(batch: batch, index: index)
        next += 1
    }

    /// Takes a confirm (or nack, with `.refused`); `multiple` covers all lower tags, and tag 0 all there are.
    mutating func settle(_ tag: UInt64, multiple: Bool, _ result: PublishResult) {
        let last = tag == 0 ? next - 1 : min(tag, next - 1)
        guard last >= lowest else { return }
        for sequence in multiple ? lowest...last : last...last { settle(sequence, result) }
        while lowest < next, slots[Self.position(lowest)] == nil { lowest += 1 }
    }

    /// Marks the first unconfirmed message equal to one that came back; its confirm follows.
    ///
    /// Two messages equal in all of this are the same to the publisher, so which of them is marked does not matter.
    mutating func markReturned(_ returned: Returned) {
        for sequence in lowest..<next {
            let position = Self.position(sequence)
            guard let slot = slots[position], slot.returned == nil else { continue }
            guard slot.batch.messages[slot.index].matches(returned) else { continue }
            slots[position]?.returned = returned.result
            return
        }
    }

    /// Ends the window: nobody will ever know.
    mutating func abandon(_ reason: String) {
        for sequence in lowest..<next { settle(sequence, .unknown(reason)) }
        lowest = next
    }

    private mutating func settle(_ sequence: UInt64, _ result: PublishResult) {
        guard let slot = slots[Self.position(sequence)].take() else { return }
        slot.batch.settle(slot.index, result == .confirmed ? slot.returned ?? .confirmed : result)
    }

    private static func position(_ sequence: UInt64) -> Int {
        Int(sequence % capacity)
    }
}

extension AMQPMessage {
    fileprivate func matches(_ returned: ConfirmWindow.Returned) -> Bool {
        routingKey == returned.routingKey && exchange == returned.exchange
            && properties.messageID == returned.messageID && body == returned.body
    }
}
