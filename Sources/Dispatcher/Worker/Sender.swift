import DispatchCore
import Gateways

/// Hands a rendered batch to the gateway and turns what it answers into decisions.
struct Sender: Sendable {
    let gateway: any Gateway
    let policy: RetryPolicy
    let clock: DatabaseClock
    let limits: GatewayLimits
    let channels: ChannelWatch
    let counters: WorkerCounters

    /// Renders and sends the whole batch; answers at once for what has been decided, and an exchange for the rest.
    func send(_ batch: BatchWork) -> SendInProgress {
        let rendering = BatchRendering(batch, now: clock.now, channels: channels)
        let exchange = GatewayExchange(count: rendering.requests.count)
        if !rendering.requests.isEmpty {
            counters.addAttempts(rendering.requests)
            gateway.send(rendering.requests, exchange: exchange)
        }
        let sent = SentBatch(
            batch: batch,
            positions: rendering.positions,
            settled: rendering.results,
            policy: policy
        )
        return SendInProgress(sent: sent, exchange: exchange)
    }
}

/// How long a batch waits for its gateway.
struct GatewayLimits: Sendable {
    /// After this the answered part is recorded and only the rest goes on waiting, so one slow device holds up nobody.
    var patience = Duration.milliseconds(500)

    /// After this an unanswered request counts as ambiguous: it may have been delivered.
    var deadline = Duration.seconds(10)
}
