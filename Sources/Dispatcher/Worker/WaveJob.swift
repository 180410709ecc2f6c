import AMQP
import DispatchCore

/// One valid job of a wave, with the message it came in.
struct WaveJob: Sendable {
    let job: SendJob
    let hub: Hub
    let message: AMQPDelivery
}
