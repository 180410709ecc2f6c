/// What a consumer's thread and its callers share, under one lock.
struct ConsumerState {
    /// An answer to the broker.
    enum Answer {
        case acknowledge(DeliveryTag, multiple: Bool)
        case reject(DeliveryTag, requeue: Bool)
    }

    /// Someone waiting for deliveries.
    struct Waiter {
        let id: UInt64
        let limit: Int
        let continuation: CheckedContinuation<[AMQPDelivery], Never>
    }

    /// What the thread should do next.
    struct Work {
        var answers: [Answer]
        var wantsSubscription: Bool
        var isStopping: Bool
    }

    var connection = AMQPConnectionState(.connecting)
    var isPaused = false
    private(set) var isStopping = false
    var thread: AMQPThread?
    private var ready: [AMQPDelivery] = []
    private var head = 0
    private var waiters: [Waiter] = []
    private var cancelled: Set<UInt64> = []
    private var lastWaiter: UInt64 = 0
    private var answers: [Answer] = []
    private var epoch: UInt64 = 0

    /// Everything ready up to the limit, nil when the caller has to wait.
    mutating func take(limit: Int) -> [AMQPDelivery]? {
        if isStopping { return [] }
        let count = ready.count - head
        guard count > 0 else { return nil }
        defer { compact() }
        if head == 0, count <= limit {
            let all = ready
            head = count
            return all
        }
        let batch = Array(ready[head..<head + min(count, limit)])
        head += batch.count
        return batch
    }

    mutating func makeWaiterID() -> UInt64 {
        lastWaiter += 1
        return lastWaiter
    }

    /// Registers a waiter, or answers at once.
    mutating func wait(_ waiter: Waiter) -> [AMQPDelivery]? {
        if cancelled.remove(waiter.id) != nil { return [] }
        if let batch = take(limit: waiter.limit) { return batch }
        waiters.append(waiter)
        return nil
    }

    /// Removes a waiter, to be resumed empty; one not registered yet is remembered.
    mutating func cancel(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else {
            cancelled.insert(id)
            return nil
        }
        return waiters.remove(at: index)
    }

    /// Forgets the cancellation of a waiter that has its answer.
    mutating func forget(_ id: UInt64) {
        cancelled.remove(id)
    }

    /// Adds deliveries and pairs them with waiters, first come first served.
    mutating func deliver(_ deliveries: [AMQPDelivery]) -> [(Waiter, [AMQPDelivery])] {
        if head == ready.count {
            ready = deliveries
            head = 0
        } else {
            ready.append(contentsOf: deliveries)
        }
        var served: [(Waiter, [AMQPDelivery])] = []
        while served.count < waiters.count, let batch = take(limit: waiters[served.count].limit) {
            served.append((waiters[served.count], batch))
        }
        waiters.removeFirst(served.count)
        return served
    }

    /// Queues an answer; one for an earlier channel is dropped.
    mutating func answer(_ answer: Answer) -> Bool {
        guard answer.tag.epoch == epoch, !isStopping else { return false }
        if case .acknowledge(let tag, multiple: true) = answer,
            case .acknowledge(let previous, multiple: true)? = answers.last, previous <= tag
        {
            answers[answers.count - 1] = answer
        } else {
            answers.append(answer)
        }
        return true
    }

    mutating func takeWork() -> Work {
        defer { answers.removeAll(keepingCapacity: true) }
        return Work(answers: answers, wantsSubscription: !isPaused, isStopping: isStopping)
    }

    /// A new channel, or none (0): what the old one delivered is the broker's again.
    mutating func begin(epoch: UInt64) {
        self.epoch = epoch
        answers.removeAll()
        ready = []
        head = 0
    }

    /// Ends the consumer for its callers; returns those to be resumed empty.
    mutating func stop() -> [Waiter] {
        isStopping = true
        ready = []
        head = 0
        defer { waiters = [] }
        return waiters
    }

    private mutating func compact() {
        if head == ready.count {
            ready = []
            head = 0
        } else if head > 1_024, head * 2 > ready.count {
            ready.removeFirst(head)
            head = 0
        }
    }
}

extension ConsumerState.Answer {
    /// The tag that is answered.
    var tag: DeliveryTag {
        switch self {
        case .acknowledge(let tag, _), .reject(let tag, _): tag
        }
    }
}
