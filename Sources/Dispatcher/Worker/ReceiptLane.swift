import AMQP
import DispatchCore

/// A pair of hands on the queue of receipts: takes a wave, files what is wrong with it, then acknowledges it.
struct ReceiptLane: Sendable {
    let waves: WaveHandler
    let decoder: DocumentDecoder<Receipt>
    let receipts: ReceiptIntake
    let counters: WorkerCounters

    /// Runs until the intake stops.
    func run() async {
        await waves.run(limit: DeviceQueue.waveLimit) { (messages) throws(StepFailure) in
            try await runWave(messages)
        }
    }

    private func runWave(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        let decoded = try await waves.insist { try await decoder.decode(messages) }
        let reports = decoded.items.map { ReceiptIntake.Report(hub: $0.hub.id, receipt: $0.document) }
        let outcomes = try await waves.insist { try await receipts.take(reports) }
        CrashHook.reach(.receiptsWritten)
        var rejections = decoded.rejections
        for (item, outcome) in zip(decoded.items, outcomes) {
            guard case .refused(let mistake) = outcome, !isErased(item) else { continue }
            rejections.append(reject(item, mistake))
        }
        // After a crash here the wave comes again: what was added is known then, and what is wrong still is.
        try await waves.reject(rejections)
        waves.intake.finish(messages)
        counters.addReceipts(messages.count - rejections.count)
    }

    /// Whether the device was removed with its user: what it still reports is nobody's any more.
    private func isErased(_ item: DocumentDecoder<Receipt>.Item) -> Bool {
        waves.erasures.tombstones.contain(.installation, item.document.installationID, hub: item.hub.id, .any)
    }

    private func reject(_ item: DocumentDecoder<Receipt>.Item, _ mistake: ReceiptMistake) -> Rejection {
        Rejection(
            item.message,
            queue: waves.intake.queue,
            hub: item.hub.name,
            reason: mistake.rawValue,
            path: mistake.path,
            detail: mistake.detail
        )
    }
}
