import DispatchCore
import Testing

@testable import Dispatcher

@Suite struct ProgressLedgerTests {
    private static let first = NotificationID(rawValue: 1)
    private static let second = NotificationID(rawValue: 2)

    @Test("nothing counted is no entry")
    func empty() {
        #expect(ProgressLedger().entries == [])
    }

    @Test("first attempts add to their state, per notification")
    func firstAttempts() {
        var ledger = ProgressLedger()
        for state in [DeliveryState.accepted, .failed, .accepted] {
            ledger.count(state, of: Self.first, wasRetrying: false)
        }
        ledger.count(.retrying, of: Self.second, wasRetrying: false)
        #expect(
            ledger.entries == [
                .init(notification: Self.first, state: .accepted, delta: 2),
                .init(notification: Self.first, state: .failed, delta: 1),
                .init(notification: Self.second, state: .retrying, delta: 1),
            ]
        )
    }

    @Test("a later attempt leaves the retrying state; one that goes on retrying changes nothing")
    func laterAttempts() {
        var ledger = ProgressLedger()
        ledger.count(.retrying, of: Self.first, wasRetrying: true)
        #expect(ledger.entries == [])
        ledger.count(.accepted, of: Self.first, wasRetrying: true)
        #expect(
            ledger.entries == [
                .init(notification: Self.first, state: .retrying, delta: -1),
                .init(notification: Self.first, state: .accepted, delta: 1),
            ]
        )
    }

    @Test("every state has its own count")
    func states() {
        var ledger = ProgressLedger()
        for (times, state) in DeliveryState.allCases.enumerated() {
            for _ in 0...times { ledger.count(state, of: Self.first, wasRetrying: false) }
        }
        #expect(ledger.entries.map(\.delta) == [1, 2, 3, 4, 5, 6, 7])
        #expect(ledger.entries.map(\.state) == DeliveryState.allCases)
    }

    @Test("interleaved notifications still add up")
    func interleaved() {
        var ledger = ProgressLedger()
        for id in [Self.first, Self.second, Self.first] { ledger.count(.accepted, of: id, wasRetrying: false) }
        let sums = ledger.entries.reduce(into: [NotificationID: Int32]()) {
            $0[$1.notification, default: 0] += $1.delta
        }
        #expect(sums == [Self.first: 2, Self.second: 1])
    }
}
