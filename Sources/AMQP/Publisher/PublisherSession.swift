import CRabbit
import Synchronization

/// One connection of a publisher, on the publisher's thread.
struct PublisherSession: ~Copyable {
    /// Messages sent between two looks at what the broker has to say.
    ///
    /// Reading first matters: when nothing was read for two heartbeats, `amqp_basic_publish` of 0.11 waits for input
    /// without a limit (https://github.com/alanxz/rabbitmq-c/issues/780).
    private static let burst = 64

    let handle: AMQPHandle
    let publisher: AMQPPublisher
    private let pool = AMQPPool()
    private var window = ConfirmWindow()
    private var assembler = ContentAssembler()
    private var pending: PendingReturn?
    private var isBlocked = false
    private var stopBy: ContinuousClock.Instant?

    init(handle: consuming AMQPHandle, publisher: AMQPPublisher) {
        self.handle = handle
        self.publisher = publisher
    }

    /// Works until the publisher is stopped.
    mutating func run(_ outbox: inout PublisherOutbox) throws(AMQPError) {
        do throws(AMQPError) {
            try handle.openChannel()
            try handle.selectConfirms()
            show(.ready)
            try serve(&outbox)
        } catch {
            window.abandon("\(error)")
            throw error
        }
        window.abandon("stopped before the confirm")
        // During an alarm the broker would not read the goodbye.
        if !isBlocked { handle.close() }
    }

    private mutating func serve(_ outbox: inout PublisherOutbox) throws(AMQPError) {
        while true {
            handle.stall.toggle()
            publisher.wake.clear()
            try drain()
            let (batches, isStopping) = publisher.shared.withLock { ($0.takeQueued(), $0.isStopping) }
            outbox.append(batches)
            if isStopping, mustEnd(isIdle: outbox.isEmpty && window.isEmpty) { return }
            try send(&outbox)
            handle.stall.toggle()
            if isBlocked || !window.hasRoom || outbox.isEmpty { handle.wait(publisher.wake) }
        }
    }

    private mutating func mustEnd(isIdle: Bool) -> Bool {
        let limit = stopBy ?? .now + handle.tuning.drainLimit
        stopBy = limit
        return isIdle || ContinuousClock.now >= limit
    }

    private mutating func send(_ outbox: inout PublisherOutbox) throws(AMQPError) {
        guard !isBlocked, window.hasRoom, !outbox.isEmpty else { return }
        handle.cork(true)
        defer { handle.cork(false) }
        for _ in 0..<Self.burst where window.hasRoom {
            guard let (batch, index) = outbox.next() else { return }
            // Noted first: after a failed publish nobody knows how much of it went out.
            window.add(batch, index)
            try handle.publish(batch.messages[index], pool)
        }
    }

    private func show(_ phase: AMQPConnectionState.Phase) {
        publisher.shared.withLock { $0.connection = $0.connection.moved(to: phase) }
    }

    private mutating func drain() throws(AMQPError) {
        var frame = amqp_frame_t()
        while try handle.readFrame(&frame) { try accept(frame) }
        handle.releaseBuffers()
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
        guard let decoded = method.decoded else { return }
        switch method.id {
        case AMQP_BASIC_ACK_METHOD:
            let ack = decoded.load(as: amqp_basic_ack_t.self)
            window.settle(ack.delivery_tag, multiple: ack.multiple != 0, .confirmed)
        case AMQP_BASIC_NACK_METHOD:
            let nack = decoded.load(as: amqp_basic_nack_t.self)
            window.settle(nack.delivery_tag, multiple: nack.multiple != 0, .refused)
        case AMQP_BASIC_RETURN_METHOD:
            pending = PendingReturn(decoded.load(as: amqp_basic_return_t.self))
        default:
            try acceptOther(method)
        }
    }

    private mutating func acceptOther(_ method: amqp_method_t) throws(AMQPError) {
        if let notice = AMQPEvent(notice: method) {
            isBlocked = notice != .unblocked
            show(isBlocked ? .blocked : .ready)
            return publisher.onEvent(notice)
        }
        guard let error = handle.acceptClose(method, operation: "publish") else { return }
        if method.id == AMQP_CHANNEL_CLOSE_METHOD {
            publisher.onEvent(.channelClosed(code: error.replyCode ?? 0, text: error.reason))
            handle.close()
        }
        throw error
    }

    private mutating func complete(_ content: ContentAssembler.Content?) {
        guard let content, let pending = pending.take() else { return }
        window.markReturned(
            ConfirmWindow.Returned(
                exchange: pending.exchange,
                routingKey: pending.routingKey,
                messageID: content.properties.messageID,
                body: content.body,
                result: .returned(code: pending.code, text: pending.text)
            )
        )
    }
}

/// A returned message whose content is still on its way.
private struct PendingReturn {
    let code: Int
    let text: String
    let exchange: String
    let routingKey: String

    init(_ method: amqp_basic_return_t) {
        code = Int(method.reply_code)
        text = method.reply_text.text
        exchange = method.exchange.text
        routingKey = method.routing_key.text
    }
}
