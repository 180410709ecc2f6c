import AMQP
import DispatchCore

/// Quorum queues: every confirmed message comes at least once, and again when its consumer is lost, counted.
final class FakeBroker {
    fileprivate struct Message {
        let number: Int
        let body: [UInt8]
        var deliveries = 0
    }

    /// One subscription of a process; a lost connection is a new channel with a new epoch.
    final class Consumer {
        let queue: String
        let process: FakeProcess
        fileprivate let prefetch: Int
        fileprivate let deliver: (AMQPDelivery) -> Void
        fileprivate(set) var epoch: UInt64 = 1
        fileprivate var lastTag: UInt64 = 0
        fileprivate var unacknowledged: [(tag: UInt64, message: Message)] = []
        fileprivate var isConnected = true

        fileprivate init(
            _ queue: String,
            _ process: FakeProcess,
            prefetch: Int,
            deliver: @escaping (AMQPDelivery) -> Void
        ) {
            self.queue = queue
            self.process = process
            self.prefetch = prefetch
            self.deliver = deliver
        }
    }

    private let simulation: Simulation
    private var ready: [String: [Message]] = [:]
    private var consumers: [Consumer] = []
    private var published = 0
    private var awayUntil: Timestamp?

    /// Per mille of the messages that get lost before they are in, and of the confirms that are lost.
    var failures = 0
    var lostConfirms = 0

    /// What came back more often than the queue's limit allows.
    private(set) var overDelivered: [[UInt8]] = []

    /// As in `definitions.json`.
    private static let deliveryLimit = 20

    init(in simulation: Simulation) { self.simulation = simulation }

    private var isAway: Bool { awayUntil.map { $0 > simulation.now } ?? false }

    /// Whether nothing that workers take is in any queue or on its way.
    var isEmpty: Bool {
        ready.allSatisfy { $0.key == Self.deadQueue || $0.value.isEmpty }
            && consumers.allSatisfy(\.unacknowledged.isEmpty)
    }

    static let deadQueue = "push.dead"

    /// Publishes; `confirmed` hears whether the broker has said that it has it.
    func publish(
        from process: FakeProcess,
        to queue: String,
        _ body: [UInt8],
        _ confirmed: @escaping (Bool) -> Void
    ) {
        simulation.after(simulation.latency()) { [self] in
            guard !isAway, !simulation.chance(failures) else {
                return process.after(simulation.time(.milliseconds(10), .seconds(10))) { confirmed(false) }
            }
            published += 1
            ready[queue, default: []].append(Message(number: published, body: body))
            pump(queue)
            let isHeard = !simulation.chance(lostConfirms)
            process.after(isHeard ? simulation.latency() : .seconds(10)) { confirmed(isHeard) }
        }
    }

    func subscribe(
        _ process: FakeProcess,
        to queue: String,
        prefetch: Int,
        _ deliver: @escaping (AMQPDelivery) -> Void
    ) -> Consumer {
        let consumer = Consumer(queue, process, prefetch: prefetch, deliver: deliver)
        consumers.append(consumer)
        process.whenEnded { [self] in
            simulation.after(simulation.latency()) { self.end(consumer) }
        }
        pump(queue)
        return consumer
    }

    /// No more is delivered to it, and what it has not acknowledged goes back.
    func end(_ consumer: Consumer) {
        consumer.isConnected = false
        requeue(consumer)
        consumers.removeAll { $0 === consumer }
        pump(consumer.queue)
    }

    func acknowledge(_ tag: DeliveryTag, by consumer: Consumer) {
        simulation.after(simulation.latency()) { [self] in
            guard consumer.epoch == tag.epoch else { return }
            consumer.unacknowledged.removeAll { $0.tag <= tag.value }
            pump(consumer.queue)
        }
    }
}

extension FakeBroker {
    /// Every connection is lost, and for a while there is none to be had.
    func restart(for length: Duration) {
        awayUntil = simulation.now + length
        for consumer in consumers { disconnect(consumer, for: length + simulation.time(.zero, .seconds(3))) }
    }

    /// One process loses its connections, as it does when it has not been heard of for long.
    func disconnect(_ process: FakeProcess, for length: Duration) {
        for consumer in consumers where consumer.process === process { disconnect(consumer, for: length) }
    }

    private func disconnect(_ consumer: Consumer, for length: Duration) {
        consumer.isConnected = false
        consumer.epoch += 1
        consumer.lastTag = 0
        requeue(consumer)
        consumer.process.after(length) { [self] in
            consumer.isConnected = consumers.contains { $0 === consumer }
            pump(consumer.queue)
        }
    }

    /// Lets go of everything that knows the broker in turn.
    func dismantle() { consumers = [] }

    /// Loses every message of a queue, as deleting it does.
    func purge(_ queue: String) { ready[queue] = [] }

    private func requeue(_ consumer: Consumer) {
        var returned: [Message] = []
        for (_, message) in consumer.unacknowledged {
            var message = message
            message.deliveries += 1
            if message.deliveries > Self.deliveryLimit {
                overDelivered.append(message.body)
            } else {
                returned.append(message)
            }
        }
        consumer.unacknowledged = []
        ready[consumer.queue, default: []].insert(contentsOf: returned, at: 0)
    }

    private func pump(_ queue: String) {
        guard !isAway else {
            if let awayUntil { simulation.after(awayUntil - simulation.now) { [self] in pump(queue) } }
            return
        }
        while let message = ready[queue]?.first {
            let open = consumers.filter {
                $0.queue == queue && $0.isConnected && $0.unacknowledged.count < $0.prefetch
            }
            guard !open.isEmpty else { return }
            ready[queue]?.removeFirst()
            hand(message, to: open[simulation.dice.below(open.count)])
        }
    }

    private func hand(_ message: Message, to consumer: Consumer) {
        consumer.lastTag += 1
        consumer.unacknowledged.append((consumer.lastTag, message))
        let count = Int64(message.deliveries)
        let delivery = AMQPDelivery(
            tag: DeliveryTag(value: consumer.lastTag, epoch: consumer.epoch),
            body: message.body,
            routingKey: "",
            exchange: "",
            isRedelivered: count > 0,
            properties: AMQPProperties(headers: count > 0 ? ["x-delivery-count": .int(count)] : [:])
        )
        consumer.process.after(simulation.latency()) {
            if delivery.tag.epoch == consumer.epoch { consumer.deliver(delivery) }
        }
    }
}
