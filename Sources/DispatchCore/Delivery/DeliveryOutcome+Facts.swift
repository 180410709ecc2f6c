extension DeliveryOutcome {
    /// The word to record: the gateway's or the transport's, the bare status where it gave none, nil when accepted.
    public var reason: String? {
        switch self {
        case .accepted: nil
        case .rejected(let rejection): rejection.reason.isEmpty ? "HTTP \(rejection.status)" : rejection.reason
        case .failed(let failure): failure.reason
        }
    }

    /// The push channel to use from now on, when the gateway named another one.
    var newChannel: String? {
        guard case .accepted(_, let newChannel) = self else { return nil }
        return newChannel
    }

    /// Whether the push may be on its way although nobody said so.
    ///
    /// A 5xx of APNs is a clear no, and so is HMS's 503, its flow control. Elsewhere a server error may come after the
    /// message was taken: FCM was seen to deliver what it had answered with 503 (firebase/firebase-admin-node#1248).
    /// Where an answer with status 200 can refuse, one that nobody can read may mean either.
    public func isAmbiguous(on platform: Platform) -> Bool {
        switch self {
        case .accepted: false
        case .rejected(let rejection): Self.isAmbiguous(rejection, on: platform)
        case .failed(let failure): failure.mayHaveBeenSent
        }
    }

    private static func isAmbiguous(_ rejection: GatewayRejection, on platform: Platform) -> Bool {
        switch (platform, rejection.status) {
        case (.apns, _), (.hms, 503): false
        // “Internal error”, the only word of HMS's that speaks of the time after a request was found good.
        case (.hms, _) where rejection.reason == "81000001": true
        case (.wns, 200..<300), (.hms, 200..<300): DispositionTable.row(for: rejection, platform: platform) == nil
        case (_, let status): status >= 500
        }
    }

    /// The gateway's word against the push channel, as it would be recorded; nil where it called no channel dead.
    func retirement(by action: DeviceAction) -> Retirement? {
        guard case .rejected(let rejection) = self, action.isRetirement else { return nil }
        let since = action == .retireIfRegisteredBefore ? rejection.invalidSince : nil
        return Retirement(reason: reason ?? "", invalidSince: since)
    }
}
