import AMQP
import DispatchCore

/// The one pair of hands on the queue of registrations: writes a wave in one transaction, then acknowledges it.
///
/// There is one a worker, and the queue has a single active consumer, so registrations are written in the order of the
/// queue.
struct RegistrationLane: Sendable {
    let waves: WaveHandler
    let decoder: DocumentDecoder<Installation>
    let store: InstallationStore
    let turn: IntakeTurn
    let counters: WorkerCounters

    /// Runs until the intake stops.
    func run() async {
        await waves.run(limit: DeviceQueue.waveLimit) { (messages) throws(StepFailure) in
            try await runWave(messages)
        }
    }

    private func runWave(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        let decoded = try await waves.insist { try await decoder.decode(messages) }
        try await waves.reject(decoded.rejections)
        guard !decoded.items.isEmpty else { return waves.intake.finish(messages) }
        let rows = decoded.items.map {
            InstallationRow(hub: $0.hub.id, installation: $0.document, isRedelivered: $0.message.isRedelivered)
        }
        let channel = messages[0].tag.epoch
        let isWritten = try await waves.insist { try await store.upsert(rows, turn: try await turn.held(on: channel)) }
        CrashHook.reach(.registered)
        guard isWritten else { return yield(messages) }
        waves.intake.finish(messages)
        counters.addInstallations(rows.count)
    }

    /// Another worker has these messages now; they must not be written over what it has made of them.
    private func yield(_ messages: [AMQPDelivery]) {
        waves.log.warning("turn.lost", ["queue": waves.intake.queue, "messages": messages.count])
        turn.forget()
        waves.intake.giveBack(messages)
    }
}
