import AMQP
import DispatchCore

/// Publishes what stands in the outbox, and takes it out when the broker has confirmed it: at least once, in its order.
///
/// One worker does it for all; the others look whether it is alive. Events have a connection of their own to the broker,
/// because a lost exchange of events closes the channel, and neither pushes nor the hub's own jobs may wait for that.
struct OutboxRelay: Sendable {
    let kind: OutboxStore.Kind
    let store: OutboxStore
    let publisher: AMQPPublisher

    /// How long an event may wait for the next look, when there was none before it.
    static let interval = Duration.milliseconds(100)

    static let exchange = "push.events"
    private static let batch = 500
    private static let confirmLimit = Duration.seconds(5)

    /// Publishes until nothing waits, or another worker is the one to do it.
    ///
    /// A batch that has begun is finished even when the task is cancelled: else a clean stop would tell events twice.
    func empty() async throws {
        while !Task.isCancelled {
            guard try await store.isWaiting(kind) else { return }
            let told = try await Task { try await tell() }.value
            // Nothing was ours: the other worker's turn is longer than a look.
            if told == 0 { return try await Task.sleep(for: .seconds(1)) }
        }
    }

    private func tell() async throws -> Int {
        let entries = try await store.oldest(kind, Self.batch)
        guard !entries.isEmpty else { return 0 }
        do {
            try await publish(entries)
        } catch {
            try await store.giveUp()
            throw error
        }
        return entries.count
    }

    private func publish(_ entries: [OutboxEntry]) async throws {
        guard publisher.state.phase == .ready else { throw Stall(waiting: entries.count, result: nil) }
        var settled: [Int64] = []
        var sent: [(id: Int64, message: AMQPMessage)] = []
        for entry in entries {
            if let message = entry.message { sent.append((entry.id, message)) } else { settled.append(entry.id) }
        }
        let results = await publisher.publishSigned(sent.map(\.message), deadline: Self.confirmLimit)
        for (entry, result) in zip(sent, results) where result == .confirmed {
            CrashHook.checkTold(entry.message.body)
            settled.append(entry.id)
        }
        CrashHook.reach(.told)
        try await store.remove(settled)
        guard settled.count == entries.count else {
            throw Stall(waiting: entries.count - settled.count, result: results.first { $0 != .confirmed })
        }
    }

    /// Why some of the outbox stays: the broker is away, or has refused it.
    struct Stall: Error, CustomStringConvertible {
        let waiting: Int
        let result: PublishResult?

        var description: String {
            "\(waiting) not confirmed: \(result.map { String(describing: $0) } ?? "not connected to the broker")"
        }
    }
}

extension OutboxEntry {
    /// What tells of it; nil when there is nothing left to tell.
    fileprivate var message: AMQPMessage? {
        switch content {
        case .gone: nil
        case .event(let event): Self.event(event.routingKey, event.encode())
        case .channel(let kind, let body): Self.event(kind.rawValue, body)
        case .job(let id, let lane, let body): IntakeExchange.job(id, lane: lane, body: body)
        }
    }

    private static func event(_ routingKey: String, _ body: [UInt8]) -> AMQPMessage {
        AMQPMessage(
            exchange: OutboxRelay.exchange,
            routingKey: routingKey,
            body: body,
            properties: AMQPProperties(contentType: NotificationEvent.contentType),
            // That nobody listens is no fault.
            isMandatory: false
        )
    }
}
