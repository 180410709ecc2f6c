extension DeliveryOutcome {
    /// The word to record: the gateway's or the transport's, the bare status where it gave none, nil when accepted.
    public var reason: String? {
        switch self {
        case .accepted: nil
        case .rejected(let rejection): rejection.reason.isEmpty ? "HTTP \(rejection.status)" : rejection.reason
        case .failed(let failure): failure.reason
        }
    }

    /// Whether the push may be on its way although nobody said so.
    ///
    /// A 5xx of APNs is a clear no. Elsewhere a server error may come after the message was taken: FCM was seen to
    /// deliver what it had answered with 503 (firebase/firebase-admin-node#1248).
    public func isAmbiguous(on platform: Platform) -> Bool {
        switch self {
        case .accepted: false
        case .rejected(let rejection): rejection.status >= 500 && platform != .apns
        case .failed(let failure): failure.mayHaveBeenSent
        }
    }

    /// The gateway's word against the push channel, as it would be recorded.
    var retirement: Retirement? {
        guard case .rejected(let rejection) = self else { return nil }
        return Retirement(reason: reason ?? "", invalidSince: rejection.invalidSince)
    }
}
