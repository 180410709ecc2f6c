import DispatchCore

/// Which events other services are told of.
struct EventChoice: Sendable, Equatable {
    private let kinds: Set<EventKind>

    /// What devices report, and what ends a delivery badly; that one was accepted is the rule, and told only when asked.
    static let usual = EventChoice(ReceiptKind.allCases.map { EventKind($0) } + [.failed, .expired, .retired])

    static let all = EventChoice(EventKind.allCases)

    init(_ kinds: some Sequence<EventKind>) {
        self.kinds = Set(kinds)
    }

    /// Reads names separated by commas, or `all` or `none`; nil when one is unknown or none is there.
    init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "none": self.init([])
        default:
            var kinds: [EventKind] = []
            for name in text.split(separator: ",", omittingEmptySubsequences: false) {
                guard let kind = EventKind(rawValue: String(name)) else { return nil }
                kinds.append(kind)
            }
            self.init(kinds)
        }
    }

    func contains(_ kind: EventKind) -> Bool { kinds.contains(kind) }

    /// The kinds of receipts among them: bit k - 1 is set for the kind that PostgreSQL stores as k.
    var receiptMask: Int32 {
        ReceiptKind.allCases.reduce(0) { mask, kind in
            contains(EventKind(kind)) ? mask | 1 << (Int32(kind.code) - 1) : mask
        }
    }
}
