import CRabbit
import Synchronization

/// One connection of a consumer, on the consumer's thread.
struct ConsumerSession: ~Copyable {
    /// Frames read before answers get their turn: about 340 messages.
    private static let burst = 1_024
    /// The pause before another try after the broker ended the subscription.
    private static let resubscribePause = Duration.milliseconds(500)
    private static let epochs = Atomic<UInt64>(0)

    let handle: AMQPHandle
    let consumer: AMQPConsumer
    private(set) var hasSubscribed: Bool
    private var isSubscribed = false
    private var subscriptions = 0
    private var subscribeAt = ContinuousClock.now
    private let epoch: UInt64
    private var assembler = ContentAssembler()
    private var exchange = RecentText()
    private var routingKey = RecentText()
    private var pending: PendingDelivery?
    private var batch: [AMQPDelivery] = []

    init(handle: consuming AMQPHandle, consumer: AMQPConsumer, hasSubscribed: Bool) {
        self.handle = handle
        self.consumer = consumer
        self.hasSubscribed = hasSubscribed
        epoch = Self.epochs.wrappingAdd(1, ordering: .relaxed).newValue
    }

    /// Works until the consumer is stopped.
    mutating func run() throws(AMQPError) {
        try begin()
        while true {
            handle.stall.toggle()
            consumer.wake.clear()
            let work = consumer.shared.withLock { $0.takeWork() }
            try send(work.answers)
            if work.isStopping { return end() }
            try adjust(to: work)
            let isDrained = try drain()
            handle.stall.toggle()
            if isDrained { wait(work) }
        }
    }

    private func begin() throws(AMQPError) {
        try handle.openChannel()
        try handle.setPrefetch(consumer.prefetch)
        consumer.shared.withLock { $0.begin(epoch: epoch) }
    }

    private func end() {
        // What is prefetched goes back to the queue when the channel closes.
        if isSubscribed { try? handle.cancelConsumer(consumerTag) }
        handle.close()
    }

    private func send(_ answers: [ConsumerState.Answer]) throws(AMQPError) {
        for answer in answers {
            switch answer {
            case .acknowledge(let tag, let multiple): try handle.acknowledge(tag.value, multiple: multiple)
            case .reject(let tag, let requeue): try handle.reject(tag.value, requeue: requeue)
            }
        }
    }

    private mutating func adjust(to work: ConsumerState.Work) throws(AMQPError) {
        if isSubscribed, !work.wantsSubscription {
            let tag = consumerTag
            try closingOnError { handle throws(AMQPError) in try handle.cancelConsumer(tag) }
            isSubscribed = false
        } else if !isSubscribed, work.wantsSubscription, ContinuousClock.now >= subscribeAt {
            try subscribe()
        }
        if !isSubscribed, !work.wantsSubscription { show(.paused) }
    }

    /// Each subscription has a tag of its own.
    ///
    /// A quorum queue counts what it delivers to a tag of a channel. Of one that comes back while some of that is not
    /// acknowledged RabbitMQ 3.10 loses count, and closes the connection with 541 INTERNAL_ERROR.
    private var consumerTag: String { "dispatcher-\(subscriptions)" }

    private mutating func subscribe() throws(AMQPError) {
        subscriptions += 1
        let (queue, tag) = (consumer.queue, consumerTag)
        try closingOnError { handle throws(AMQPError) in try handle.consume(queue, tag: tag) }
        isSubscribed = true
        show(.ready)
        if hasSubscribed { consumer.onEvent(.resubscribed) }
        hasSubscribed = true
    }

    /// Reports a channel the broker closed in answer to a method, and leaves the connection in order.
    private func closingOnError(_ body: (borrowing AMQPHandle) throws(AMQPError) -> Void) throws(AMQPError) {
        do throws(AMQPError) {
            try body(handle)
        } catch {
            if let code = error.replyCode {
                consumer.onEvent(.channelClosed(code: code, text: error.reason))
                handle.close()
            }
            throw error
        }
    }

    private func show(_ phase: AMQPConnectionState.Phase) {
        consumer.shared.withLock { $0.connection = $0.connection.moved(to: phase) }
    }

    private func wait(_ work: ConsumerState.Work) {
        let isDue = !isSubscribed && work.wantsSubscription
        let left = (subscribeAt - ContinuousClock.now).wholeMilliseconds
        handle.wait(consumer.wake, milliseconds: isDue ? left : nil)
    }

    /// Reads what has arrived, a burst at most; false when there may be more.
    private mutating func drain() throws(AMQPError) -> Bool {
        var frame = amqp_frame_t()
        var count = 0
        defer { handOver() }
        while count < Self.burst {
            guard try handle.readFrame(&frame) else { return true }
            try accept(frame)
            count += 1
        }
        return false
    }

    private mutating func handOver() {
        guard !batch.isEmpty else { return }
        let served = consumer.shared.withLock { $0.deliver(batch) }
        batch = []
        for (waiter, deliveries) in served { waiter.continuation.resume(returning: deliveries) }
    }

    private mutating func accept(_ frame: amqp_frame_t) throws(AMQPError) {
        switch Int32(frame.frame_type) {
        case AMQP_FRAME_METHOD: try accept(frame.payload.method)
        case AMQP_FRAME_HEADER: complete(try assembler.header(frame))
        case AMQP_FRAME_BODY: complete(try assembler.fragment(frame))
        default: break
        }
    }

    private mutating func accept(_ method: amqp_method_t) throws(AMQPError) {
        switch method.id {
        case AMQP_BASIC_DELIVER_METHOD:
            guard let decoded = method.decoded else { return }
            pending = makePending(decoded.load(as: amqp_basic_deliver_t.self))
        case AMQP_BASIC_CANCEL_METHOD:
            isSubscribed = false
            subscribeAt = .now + Self.resubscribePause
            show(.connecting)
            consumer.onEvent(.consumerCancelled)
        default:
            try acceptOther(method)
        }
    }

    private func acceptOther(_ method: amqp_method_t) throws(AMQPError) {
        if let notice = AMQPEvent(notice: method) { return consumer.onEvent(notice) }
        guard let error = handle.acceptClose(method, operation: "consume") else { return }
        if method.id == AMQP_CHANNEL_CLOSE_METHOD {
            consumer.onEvent(.channelClosed(code: error.replyCode ?? 0, text: error.reason))
            handle.close()
        }
        throw error
    }

    private mutating func makePending(_ method: amqp_basic_deliver_t) -> PendingDelivery {
        PendingDelivery(
            tag: DeliveryTag(value: method.delivery_tag, epoch: epoch),
            exchange: exchange.text(method.exchange),
            routingKey: routingKey.text(method.routing_key),
            isRedelivered: method.redelivered != 0
        )
    }

    private mutating func complete(_ content: ContentAssembler.Content?) {
        guard let content, let delivery = pending.take() else { return }
        handle.releaseBuffers()
        batch.append(
            AMQPDelivery(
                tag: delivery.tag,
                body: content.body,
                routingKey: delivery.routingKey,
                exchange: delivery.exchange,
                isRedelivered: delivery.isRedelivered,
                properties: content.properties
            )
        )
    }
}

/// A delivery whose content is still on its way.
struct PendingDelivery {
    let tag: DeliveryTag
    let exchange: String
    let routingKey: String
    let isRedelivered: Bool
}
