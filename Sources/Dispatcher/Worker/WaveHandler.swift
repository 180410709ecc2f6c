import AMQP
import DispatchCore

/// Takes waves of messages from a queue and sees every message to its end, whatever its lane does with it.
struct WaveHandler: Sendable {
    let intake: QueueIntake
    let deadLetters: DeadLetterOffice
    let suspects: SuspectStore

    /// One for all lanes of the worker.
    let quarantine: Quarantine
    let gate: DatabaseGate
    let erasures: ErasureWatch
    let counters: WorkerCounters
    let pulse: LanePulse
    let log: Log

    /// What a lane does with a wave: it finishes or rejects every message, or throws and has touched nothing.
    typealias Step = @Sendable ([AMQPDelivery]) async throws(StepFailure) -> Void

    /// A message seen by this many workers that died is tried alone from then on.
    static let suspiciousDeliveryCount = 2

    /// Runs until the intake stops.
    func run(limit: Int, _ step: Step) async {
        while true {
            pulse.rest()
            let messages = await intake.take(limit: limit)
            guard !messages.isEmpty else { return }
            pulse.begin()
            let start = ContinuousClock.now
            guard await runMarked(messages, step) else { return }
            counters.addWave(messages.count, from: intake.queue, in: .now - start)
        }
    }

    /// Each marker of an erasure is met after what stands before it, and before what stands behind it.
    private func runMarked(_ messages: [AMQPDelivery], _ step: Step) async -> Bool {
        var rest = messages[...]
        while let place = rest.firstIndex(where: { $0.properties.type == ErasureMarker.type }) {
            let before = Array(rest[..<place])
            if !before.isEmpty { guard await runTaken(before, step) else { return false } }
            guard await meet(rest[place]) else { return false }
            rest = rest[(place + 1)...]
        }
        return rest.isEmpty ? true : await runTaken(Array(rest), step)
    }

    private func meet(_ message: AMQPDelivery) async -> Bool {
        do throws(StepFailure) {
            if let marker = ErasureMarker(message), let queue = MarkedQueue(queue: intake.queue) {
                try await insist { try await erasures.meet(marker, queue: queue) }
            }
            intake.finish([message])
            return true
        } catch {
            return error != .stopped
        }
    }

    /// Answers whether to go on: a step that was cut off by the end of the drain ends the lane.
    private func runTaken(_ messages: [AMQPDelivery], _ step: Step) async -> Bool {
        do throws(StepFailure) {
            let suspicious = messages.filter { $0.deliveryCount >= Self.suspiciousDeliveryCount }
            for message in suspicious {
                await quarantine.enter(isAlone: true)
                defer { quarantine.leave(isAlone: true) }
                try await runAlone(message, step)
            }
            let others = messages.filter { $0.deliveryCount < Self.suspiciousDeliveryCount }
            guard !others.isEmpty else { return true }
            await quarantine.enter(isAlone: false)
            defer { quarantine.leave(isAlone: false) }
            try await runWave(others, step)
            return true
        } catch {
            if case .refused(let reason) = error {
                // Not even the rejection could be written: the messages stay unacknowledged and come again with the
                // next connection.
                log.error("wave.refused", ["queue": intake.queue, "messages": messages.count, "error": reason])
            }
            return error != .stopped
        }
    }

    /// Tries a message that was in the hands of dying workers by itself, counting the try before it begins.
    ///
    /// Nothing else is in hand meanwhile: another lane's message that ends the process would be counted against this one.
    private func runAlone(_ message: AMQPDelivery, _ step: Step) async throws(StepFailure) {
        let fingerprint = message.fingerprint(queue: intake.queue)
        let tries = try await insist { try await suspects.beginTry(fingerprint) }
        if tries > SuspectStore.maximumTries {
            try await reject([.poison(message, queue: intake.queue)])
            intake.finish([message])
        } else {
            try await runWave([message], step)
        }
        try await insist { try await suspects.clear(fingerprint) }
    }

    /// Runs a wave; one that the database refuses is taken apart, so that only the guilty message is rejected.
    private func runWave(_ messages: [AMQPDelivery], _ step: Step) async throws(StepFailure) {
        do throws(StepFailure) {
            try await step(messages)
        } catch .refused(let reason) where messages.count == 1 {
            try await reject([.refused(messages[0], queue: intake.queue, reason: reason)])
            intake.finish(messages)
        } catch .refused {
            for message in messages { try await runWave([message], step) }
        } catch {
            throw error
        }
    }

    /// Repeats a database step until it succeeds; meanwhile nothing new is asked for.
    func insist<Value: Sendable>(_ step: @Sendable () async throws -> Value) async throws(StepFailure) -> Value {
        try await gate.insist(on: intake, step)
    }

    /// Files what can never be accepted.
    func reject(_ rejections: [Rejection]) async throws(StepFailure) {
        guard !rejections.isEmpty else { return }
        try await insist { try await deadLetters.file(rejections) }
        counters.add(rejections)
    }
}

extension Rejection {
    static func poison(_ message: AMQPDelivery, queue: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            reason: "crashesWorkers",
            detail: "Workers died \(SuspectStore.maximumTries) times while they handled this message alone."
        )
    }

    static func refused(_ message: AMQPDelivery, queue: String, reason: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            reason: "refusedByDatabase",
            detail: "The database refuses this message: \(reason)."
        )
    }

    static func unknownClass(_ hub: String, _ message: AMQPDelivery, job: UUIDValue, queue: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            hub: hub,
            reason: "unknownClass",
            path: "$.options.class",
            jobID: job,
            detail: "The hub has no class of notifications with this name."
        )
    }

    static func unknownHub(_ name: String, _ message: AMQPDelivery, job: UUIDValue? = nil, queue: String) -> Rejection {
        Rejection(
            message,
            queue: queue,
            hub: name,
            reason: "unknownHub",
            path: "$.hub",
            jobID: job,
            detail: "There is no hub with this name."
        )
    }
}
