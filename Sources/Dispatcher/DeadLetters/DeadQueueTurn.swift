import AMQP
import DispatchCore

/// Turns `push.dead` round once, so that afterwards it holds what the table calls open, each once, in its order, and files
/// what no queue has taken.
///
/// Messages from the front that belong there go to the end as confirmed copies, before the original is acknowledged:
/// held back unacknowledged, they could be no more than the prefetch. A turn that is killed leaves at most a few copies
/// too many, which the next one removes.
struct DeadQueueTurn: Sendable {
    let store: DeadLetterStore
    let publisher: AMQPPublisher
    let endpoint: AMQPEndpoint

    static let queue = "push.dead"

    /// Messages in memory at a time, each up to the broker's largest.
    private static let step = 50
    private static let confirmDeadline = Duration.seconds(15)

    /// How long the next message may take; what another consumer holds does not come.
    private static let patience = Duration.seconds(3)

    /// What a turn did.
    struct Outcome: Sendable, Equatable {
        var kept = 0
        var removed = 0
        var collected = 0
        var restored = 0
        var unrestorable = 0
    }

    private struct Progress {
        var outcome = Outcome()
        var seen: Set<[UInt8]> = []
    }

    func run() async throws -> Outcome {
        let start = try await store.now()
        let length = try await AMQPTopology(endpoint: endpoint).messageCount(Self.queue)
        var progress = Progress()
        let isWhole = try await turn(Self.queue, length, &progress)
        if isWhole { try await restore(before: start, &progress) }
        let unroutable = try await AMQPTopology(endpoint: endpoint).messageCount(UnroutableLane.queue)
        _ = try await turn(UnroutableLane.queue, unroutable, &progress)
        return progress.outcome
    }

    /// Goes through so many messages of a queue; false when the rest is in somebody else's hands.
    private func turn(_ queue: String, _ length: Int, _ progress: inout Progress) async throws -> Bool {
        guard length > 0 else { return true }
        let consumer = AMQPConsumer(
            endpoint: endpoint,
            queue: queue,
            prefetch: Self.step,
            connectionName: "dispatcher dead-letters",
            onEvent: { _ in }
        )
        consumer.start()
        let result: Result<Bool, any Error>
        do {
            result = .success(try await turn(queue, length, consumer, &progress))
        } catch {
            result = .failure(error)
        }
        await consumer.stop()
        return try result.get()
    }

    private func turn(
        _ queue: String,
        _ length: Int,
        _ consumer: AMQPConsumer,
        _ progress: inout Progress
    ) async throws -> Bool {
        var epoch: UInt64?
        var turned = 0
        while turned < length {
            let limit = min(Self.step, length - turned)
            let taken = await consumer.next(limit: limit, within: Self.patience)
            guard let last = taken.last else { return false }
            // On a new channel the unacknowledged come again, and counting them would end the turn too early.
            guard last.tag.epoch == epoch ?? last.tag.epoch else { throw DeadLetterFailure.turnInterrupted }
            epoch = last.tag.epoch
            try await handle(taken, from: queue, &progress)
            consumer.acknowledge(last.tag, multiple: true)
            turned += taken.count
        }
        return true
    }

    private func handle(_ taken: [AMQPDelivery], from queue: String, _ progress: inout Progress) async throws {
        let publishers = PublisherCheck(own: endpoint.login)
        if queue == Self.queue {
            try await sort(taken.map { DeadMessage($0, publishers: publishers) }, &progress)
        } else {
            try await office.file(taken.map { .unroutable(publishers.original($0)) })
            progress.outcome.collected += taken.count
        }
    }

    private var office: DeadLetterOffice {
        DeadLetterOffice(store: store, publisher: publisher, log: Log(minimum: .error))
    }

    private func sort(_ messages: [DeadMessage], _ progress: inout Progress) async throws {
        let places = try await store.places(of: messages.map(\.fingerprint))
        var kept: [DeadMessage] = []
        var filed: [DeadMessage] = []
        for message in messages {
            let place = places[message.fingerprint]
            if message.isByBroker || place == nil {
                filed.append(message)
            } else if place?.openGeneration == message.generation, progress.seen.insert(message.fingerprint).inserted {
                kept.append(message)
            } else {
                progress.outcome.removed += 1
            }
        }
        try await publish(kept.map(\.copy))
        CrashHook.check(Array("dead-letters.turn.copied".utf8))
        progress.outcome.kept += kept.count
        try await file(filed, &progress)
    }

    /// Gives messages without a row theirs; the copy that is filed lies behind the end of this turn.
    private func file(_ messages: [DeadMessage], _ progress: inout Progress) async throws {
        guard !messages.isEmpty else { return }
        try await office.file(messages.map(\.rejection))
        // The broker's may have their letter's own message further back, which is the one to keep.
        progress.seen.formUnion(messages.filter { !$0.isByBroker }.map(\.fingerprint))
        progress.outcome.collected += messages.count
    }

    private func publish(_ messages: [AMQPMessage]) async throws {
        let results = await publisher.publish(messages, deadline: Self.confirmDeadline)
        if let wrong = results.first(where: { $0 != .confirmed }) { throw DeadLetterFailure.notConfirmed(wrong) }
    }

    /// Puts back what the table calls open and the queue has lost, to a purge for example.
    private func restore(before start: Timestamp, _ progress: inout Progress) async throws {
        let missing = try await store.missing(before: start, seen: progress.seen)
        for first in stride(from: 0, to: missing.count, by: Self.step) {
            let ids = Array(missing[first..<min(first + Self.step, missing.count)])
            let letters = try await store.contents(of: ids)
            let whole = letters.filter(\.isWhole)
            try await publish(whole.map { DeadLetterOffice.message($0.rejection, generation: $0.generation) })
            progress.outcome.restored += whole.count
            progress.outcome.unrestorable += letters.count - whole.count
        }
    }
}
