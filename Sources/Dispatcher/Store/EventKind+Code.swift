import DispatchCore

extension EventKind {
    init?(code: Int16) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }

    /// What PostgreSQL stores: the kind of a receipt, 10 and the state of a delivery, or 20.
    var code: Int16 {
        switch self {
        case .fetched: ReceiptKind.fetched.code
        case .displayed: ReceiptKind.displayed.code
        case .read: ReceiptKind.read.code
        case .dismissed: ReceiptKind.dismissed.code
        case .action: ReceiptKind.action.code
        case .reply: ReceiptKind.reply.code
        case .accepted: 10 + DeliveryState.accepted.rawValue
        case .failed: 10 + DeliveryState.failed.rawValue
        case .expired: 10 + DeliveryState.expired.rawValue
        case .suppressed: 10 + DeliveryState.suppressed.rawValue
        case .cancelled: 10 + DeliveryState.cancelled.rawValue
        case .retired: 20
        }
    }
}

extension ChannelEvent.Kind {
    init?(code: Int16) {
        guard let kind = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = kind
    }

    /// What PostgreSQL stores, beside the codes of `EventKind`.
    var code: Int16 {
        switch self {
        case .stopped: 30
        case .resumed: 31
        }
    }
}
