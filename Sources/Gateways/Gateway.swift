public import DispatchCore

/// Where pushes go: a vendor's service, or the simulated one.
public protocol Gateway: Sendable {
    /// Starts sending, and returns without waiting for answers.
    ///
    /// Each request is answered exactly once through `exchange`, under its index in `requests`, from any thread, possibly
    /// before this returns. A gateway that falls silent answers nothing; the caller's patience decides then.
    func send(_ requests: [PushRequest], exchange: GatewayExchange)
}
