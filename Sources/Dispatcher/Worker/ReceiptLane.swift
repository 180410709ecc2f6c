import AMQP
import DispatchCore

/// A pair of hands on the queue of receipts: finds what a wave is about, writes it, then acknowledges it.
struct ReceiptLane: Sendable {
    let waves: WaveHandler
    let decoder: DocumentDecoder<Receipt>
    let lookup: ReceiptLookup
    let store: ReceiptStore
    let counters: WorkerCounters

    /// Runs until the intake stops.
    func run() async {
        await waves.run(limit: DeviceQueue.waveLimit) { (messages) throws(StepFailure) in
            try await runWave(messages)
        }
    }

    private func runWave(_ messages: [AMQPDelivery]) async throws(StepFailure) {
        let decoded = try await waves.insist { try await decoder.decode(messages) }
        var rejections = decoded.rejections
        let receipts = try await resolve(decoded.items, &rejections)
        try await waves.reject(rejections)
        if !receipts.isEmpty { try await waves.insist { try await store.add(receipts) } }
        waves.intake.finish(messages)
        counters.addReceipts(receipts.count)
    }

    private func resolve(
        _ items: [DocumentDecoder<Receipt>.Item],
        _ rejections: inout [Rejection]
    ) async throws(StepFailure) -> [AddressedReceipt] {
        guard !items.isEmpty else { return [] }
        let questions = items.map { ReceiptLookup.Question(hub: $0.hub.id, receipt: $0.document) }
        let answers = try await waves.insist { try await lookup.answers(questions) }
        var receipts: [AddressedReceipt] = []
        receipts.reserveCapacity(items.count)
        for (item, answer) in zip(items, answers) {
            switch answer {
            case .addressed(let receipt): receipts.append(receipt)
            case .unknownNotification: rejections.append(reject(item, .unknownNotification))
            case .unknownInstallation: rejections.append(reject(item, .unknownInstallation))
            case .notAddressed: rejections.append(reject(item, .notAddressed))
            }
        }
        return receipts
    }

    private enum Mistake: String {
        case unknownNotification
        case unknownInstallation
        case notAddressed

        var path: String { self == .unknownNotification ? "$.notificationId" : "$.installationId" }

        var detail: String {
            switch self {
            case .unknownNotification: "The hub has no notification with this id, or it is older than the retention."
            case .unknownInstallation: "The hub has no installation with this id."
            case .notAddressed: "The notification was not sent to this installation."
            }
        }
    }

    private func reject(_ item: DocumentDecoder<Receipt>.Item, _ mistake: Mistake) -> Rejection {
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
