import DispatchCore

/// Which events other services are told of.
struct EventChoice: Sendable, Equatable {
    private let kinds: Set<EventKind>
    private let channelKinds: Set<ChannelEvent.Kind>

    /// What devices report, what ends a delivery badly, and what becomes of channels; that one was accepted is the rule, and
    /// told only when asked.
    static let usual = EventChoice(
        ReceiptKind.allCases.map { EventKind($0) } + [.failed, .expired, .retired],
        channels: ChannelEvent.Kind.allCases
    )

    static let all = EventChoice(EventKind.allCases, channels: ChannelEvent.Kind.allCases)

    /// The names that can be chosen.
    static let names = EventKind.allCases.map(\.rawValue) + ChannelEvent.Kind.allCases.map(\.rawValue)

    init(_ kinds: some Sequence<EventKind>, channels: some Sequence<ChannelEvent.Kind> = []) {
        self.kinds = Set(kinds)
        channelKinds = Set(channels)
    }

    /// Reads names separated by commas, or `all` or `none`; nil when one is unknown or none is there.
    init?(_ text: String) {
        switch text {
        case "all": self = .all
        case "none": self.init([])
        default:
            let names = text.split(separator: ",", omittingEmptySubsequences: false).map { String($0) }
            let kinds = names.compactMap { EventKind(rawValue: $0) }
            let channels = names.compactMap { ChannelEvent.Kind(rawValue: $0) }
            guard kinds.count + channels.count == names.count else { return nil }
            self.init(kinds, channels: channels)
        }
    }

    func contains(_ kind: EventKind) -> Bool { kinds.contains(kind) }
    func contains(_ kind: ChannelEvent.Kind) -> Bool { channelKinds.contains(kind) }

    /// The kinds of receipts among them: bit k - 1 is set for the kind that PostgreSQL stores as k.
    var receiptMask: Int32 {
        ReceiptKind.allCases.reduce(0) { mask, kind in
            contains(EventKind(kind)) ? mask | 1 << (Int32(kind.code) - 1) : mask
        }
    }
}
