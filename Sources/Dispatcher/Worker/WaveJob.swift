import AMQP
import DispatchCore

/// One valid job of a wave, with the message it came in.
///
/// A reference, because a wave hands hundreds of these from step to step and each is a dozen fields wide.
final class WaveJob: Sendable {
    let job: SendJob
    let hub: Hub
    let message: AMQPDelivery

    init(job: SendJob, hub: Hub, message: AMQPDelivery) {
        self.job = job
        self.hub = hub
        self.message = message
    }
}
