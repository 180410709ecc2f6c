/// Messages in the order in which they will be sent; survives a lost connection.
struct PublisherOutbox {
    private var batches: [PublishBatch] = []
    private var head = 0
    private var cursor = 0

    /// Whether there is nothing to send; settled messages at the front are skipped first.
    var isEmpty: Bool {
        mutating get {
            skipSettled()
            return head == batches.count
        }
    }

    mutating func append(_ more: [PublishBatch]) {
        batches.append(contentsOf: more)
    }

    /// The next message to send.
    mutating func next() -> (PublishBatch, Int)? {
        skipSettled()
        guard head < batches.count else { return nil }
        defer { cursor += 1 }
        return (batches[head], cursor)
    }

    private mutating func skipSettled() {
        while head < batches.count {
            let batch = batches[head]
            while cursor < batch.messages.count, batch.isSettled(cursor) { cursor += 1 }
            if cursor < batch.messages.count { return }
            cursor = 0
            head += 1
        }
        batches.removeAll(keepingCapacity: true)
        head = 0
    }
}
