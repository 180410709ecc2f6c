import AMQP
import DispatchCore

/// A pair of hands on the queue of what no queue takes: files each message as a dead letter, then acknowledges it.
struct UnroutableLane: Sendable {
    let waves: WaveHandler
    let publishers: PublisherCheck

    /// Where the alternate exchange of ``IntakeExchange`` puts what it cannot route, so that nothing confirmed is lost.
    static let queue = "push.unroutable"

    /// Rare, and each may be as large as the broker takes.
    static let waveLimit = 50
    static let prefetch = waveLimit

    /// Runs until the intake stops.
    func run() async {
        await waves.run(limit: Self.waveLimit) { (messages) throws(StepFailure) in
            try await waves.reject(messages.map { .unroutable(publishers.original($0)) })
            waves.intake.finish(messages)
        }
    }
}

extension Rejection {
    static func unroutable(_ message: AMQPDelivery) -> Rejection {
        Rejection(
            message,
            queue: UnroutableLane.queue,
            reason: "unroutable",
            jobID: SendJob.id(in: message.body),
            detail: "No queue takes what is published to \(message.exchange) with the key \(message.routingKey)."
        )
    }
}
