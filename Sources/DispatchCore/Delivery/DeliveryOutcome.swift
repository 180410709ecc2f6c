/// What came of one push: the gateway's answer, or why there is none.
public enum DeliveryOutcome: Hashable, Sendable {
    /// The gateway took the push; that says nothing about the device.
    ///
    /// `gatewayID` is the gateway's own name for the message where that is not the message id it was sent with.
    /// `newChannel` is the push channel to use from now on where the gateway named another one (ADM's canonical id).
    case accepted(gatewayID: String?, newChannel: String? = nil)

    /// The gateway refused the push.
    case rejected(GatewayRejection)

    /// No answer arrived.
    case failed(TransportFailure)

    /// The outcome of a push whose gateway stayed silent for as long as the sender waits.
    public static let unanswered = DeliveryOutcome.failed(
        TransportFailure(reason: "NoAnswer", mayHaveBeenSent: true)
    )
}
