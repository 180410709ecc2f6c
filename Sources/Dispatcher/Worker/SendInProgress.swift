import DispatchCore
import Gateways

/// A batch at the gateway: some of it decided, some of it perhaps still unanswered.
struct SendInProgress: Sendable {
    let sent: SentBatch
    let exchange: GatewayExchange

    /// The decisions by position after waiting at most `limit`; nil where the gateway has not answered.
    ///
    /// With `isFinal`, what is unanswered is decided as a lost answer: it may have been sent.
    func results(within limit: Duration, isFinal: Bool, now: () -> Timestamp) async -> [DeliveryResult?] {
        let outcomes = await exchange.outcomes(within: limit)
        var generator = SystemDice()
        return sent.results(of: outcomes, isFinal: isFinal, now: now(), using: &generator)
    }

    /// Splits off what is unanswered: the batch that remains, and its own view of the same exchange.
    func remaining(after results: [DeliveryResult?]) -> BatchWork? { sent.remaining(after: results) }
}
