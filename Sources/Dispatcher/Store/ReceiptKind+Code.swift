import DispatchCore

extension ReceiptKind {
    /// What PostgreSQL stores.
    var code: Int16 {
        switch self {
        case .fetched: 1
        case .displayed: 2
        case .read: 3
        case .dismissed: 4
        case .action: 5
        case .reply: 6
        }
    }
}
