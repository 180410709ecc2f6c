import DispatchCore

extension ResponseOption {
    /// What PostgreSQL stores.
    var code: Int16 {
        switch self {
        case .doNotDismiss: 1
        case .dismiss: 2
        case .dismissAndForwardAction: 3
        }
    }

    init?(code: Int16) {
        guard let option = Self.allCases.first(where: { $0.code == code }) else { return nil }
        self = option
    }
}
