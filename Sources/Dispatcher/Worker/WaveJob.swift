import AMQP
import DispatchCore

/// One valid job of a wave, with the message it came in.
///
/// A reference, because a wave hands hundreds of these from step to step and each is a dozen fields wide.
final class WaveJob: Sendable {
    let job: SendJob
    let hub: Hub
    let message: AMQPDelivery
    let trace: Trace

    /// What erasures leave of the job.
    enum Trace: Sendable {
        /// It names nobody who was erased.
        case none

        /// It was published before an erasure and is for nobody else: nothing of it is kept or sent.
        case stopped

        /// It was published before an erasure and is for others too.
        case redacted(SendJob, body: [UInt8])

        /// It is for somebody who was erased before: if nobody has registered since, nothing of it is kept.
        case departed
    }

    init(job: SendJob, hub: Hub, message: AMQPDelivery, trace: Trace = .none) {
        if case .redacted(let left, _) = trace { self.job = left.resolved(as: job) } else { self.job = job }
        self.hub = hub
        self.message = message
        self.trace = trace
    }

    /// Nobody is looked up for it.
    var isStopped: Bool {
        if case .stopped = trace { true } else { false }
    }

    var isDeparted: Bool {
        if case .departed = trace { true } else { false }
    }

    /// The body as it is kept: that of the message, unless somebody was erased from it.
    var body: [UInt8] {
        if case .redacted(_, let body) = trace { body } else { message.body }
    }

    var isRedacted: Bool {
        if case .redacted = trace { true } else { false }
    }
}
