import AMQP
import DispatchCore

/// Files rejected messages twice: as a row with all that is known, and as a message in `push.dead`.
struct DeadLetterOffice: Sendable {
    let store: DeadLetterStore
    let publisher: AMQPPublisher
    let log: Log

    static let exchange = "push.dlx"

    /// How long the broker may take to confirm before the filing is tried again.
    private static let confirmDeadline = Duration.seconds(10)

    /// How soon a letter is looked at again that another lane or worker is about to publish.
    private static let pause = Duration.milliseconds(20)

    /// Returns when every rejection has its row and its message; until then the original stays unacknowledged.
    ///
    /// The same message in several hands at once is published by one of them; the others wait until it is confirmed.
    func file(_ rejections: [Rejection]) async throws {
        var generator = SystemDice()
        let claim = UUIDValue.timeOrdered(at: DatabaseClock().now, using: &generator)
        var unpublished = try await store.insert(rejections, claim: claim)
        CrashHook.reach(.letterWritten)
        while !unpublished.isEmpty {
            try await publish(unpublished.filter(\.isClaimed), claim)
            let others = unpublished.filter { !$0.isClaimed }.map(\.rejection)
            guard !others.isEmpty else { return }
            try await Task.sleep(for: Self.pause)
            unpublished = try await store.reclaim(others, claim: claim)
        }
    }

    private func publish(_ letters: [DeadLetterStore.Unpublished], _ claim: UUIDValue) async throws {
        guard !letters.isEmpty else { return }
        let messages = letters.map { Self.message($0.rejection, generation: $0.generation) }
        let results = await publisher.publish(messages, deadline: Self.confirmDeadline)
        CrashHook.reach(.letterPublished)
        let confirmed = zip(letters, results).filter { $1 == .confirmed }.map(\.0.rejection)
        if !confirmed.isEmpty { try await store.markPublished(confirmed) }
        for rejection in confirmed { report(rejection) }
        guard confirmed.count == letters.count else {
            try await store.giveUp(claim)
            throw DeadLetterError.notConfirmed
        }
    }

    /// What lies in `push.dead` for a rejection.
    static func message(_ rejection: Rejection, routingKey: String? = nil, generation: Int) -> AMQPMessage {
        let carrier = DeadLetterCarrier(rejection)
        var properties = carrier.properties
        // Only our own headers: what a client sent along must not steer the broker or a replay.
        properties.headers = [
            "x-dispatcher-reason": .string(rejection.reason),
            "x-dispatcher-detail": .string(rejection.detail),
            "x-dispatcher-queue": .string(rejection.queue),
            "x-dispatcher-path": .string(rejection.path ?? ""),
            "x-dispatcher-offset": .int(Int64(rejection.offset ?? -1)),
            "x-dispatcher-generation": .int(Int64(generation)),
            PublisherCheck.header: .string(rejection.message.properties.userID ?? ""),
        ]
        if let fingerprint = carrier.fingerprint {
            properties.headers[DeadLetterCarrier.fingerprintHeader] = .bytes(fingerprint)
        }
        return AMQPMessage(
            exchange: exchange,
            routingKey: routingKey ?? rejection.message.routingKey,
            body: carrier.body,
            properties: properties
        )
    }

    private func report(_ rejection: Rejection) {
        log.warning(
            "message.rejected",
            [
                "reason": rejection.reason, "queue": rejection.queue, "path": rejection.path ?? "-",
                "offset": rejection.offset ?? -1, "messageID": rejection.shownID ?? "-",
            ]
        )
    }
}

/// Why a rejected message could not be filed.
enum DeadLetterError: Error {
    /// The broker did not confirm the message in `push.dead`; the row is there and filing is tried again.
    case notConfirmed
}
