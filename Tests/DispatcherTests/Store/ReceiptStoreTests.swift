import DispatchCore
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(2))) struct ReceiptStoreTests {
    private static let start: Int64 = 1_700_000_000

    private static func random(_ ordinal: Int, _ generator: inout some RandomNumberGenerator) -> AddressedReceipt {
        let kind = ReceiptKind.allCases.randomElement(using: &generator) ?? .read
        let isAnswer = kind == .action || kind == .reply
        let options: [ResponseOption?] = [nil] + ResponseOption.allCases
        return AddressedReceipt(
            receipt: Receipt(
                id: "r\(Int.random(in: 0..<12, using: &generator))",
                notification: .number(NotificationID(rawValue: 1)),
                installationID: "i",
                kind: kind,
                actionID: isAnswer ? "action-\(ordinal)" : nil,
                text: kind == .reply ? "text-\(ordinal)" : nil,
                response: isAnswer ? options.randomElement(using: &generator) ?? nil : nil,
                at: Timestamp(seconds: start + Int64(Int.random(in: -50...50, using: &generator)))
            ),
            notification: NotificationID(rawValue: Int64.random(in: 1...2, using: &generator)),
            installation: InstallationKey(rawValue: Int64.random(in: 1...3, using: &generator)),
            acceptedAt: Timestamp(seconds: start)
        )
    }

    @Test("random waves lead to what the receipts lead to one after another")
    func equalsModel() async throws {
        var generator = SystemRandomNumberGenerator()
        try await withDatabase { database in
            let store = ReceiptStore(pool: database.pool)
            var model = KnownFacts()
            var ordinal = 0
            for _ in 0..<40 {
                let wave = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    ordinal += 1
                    return Self.random(ordinal, &generator)
                }
                try await store.add(wave)
                for receipt in wave { model.add(receipt) }
                #expect(try await Self.facts(database) == model.rows)
            }
            let counts = try await database.texts(
                """
                SELECT notification_id::text, state::text, sum(delta)::text FROM dispatcher.progress
                GROUP BY notification_id, state ORDER BY notification_id, state
                """
            )
            #expect(counts == model.counts)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.receipt") == model.receipts)
        }
    }

    private static func facts(_ database: TestDatabase) async throws -> [String] {
        try await database.texts(
            """
            SELECT concat_ws(' ', notification_id, installation_id,
                       'f' || extract(epoch FROM fetched_at)::int, 'd' || extract(epoch FROM displayed_at)::int,
                       'r' || extract(epoch FROM read_at)::int, 'x' || extract(epoch FROM dismissed_at)::int,
                       'a' || extract(epoch FROM action_at)::int || action_id || coalesce(response, 0),
                       't' || extract(epoch FROM replied_at)::int || reply)
            FROM dispatcher.reading ORDER BY notification_id, installation_id
            """
        ).map { $0[0] }
    }
}

/// What receipts lead to, by the rules as they are written.
private struct KnownFacts {
    private struct Device: Hashable, Comparable {
        let notification: Int64
        let installation: Int64

        static func < (left: Device, right: Device) -> Bool {
            (left.notification, left.installation) < (right.notification, right.installation)
        }
    }

    private var seen: [Device: Set<String>] = [:]
    private var facts: [Device: [Character: String]] = [:]

    mutating func add(_ item: AddressedReceipt) {
        let device = Device(notification: item.notification.rawValue, installation: item.installation.rawValue)
        let receipt = item.receipt
        guard seen[device, default: []].insert(receipt.id).inserted else { return }
        let at = max(receipt.at, item.acceptedAt).seconds
        switch receipt.kind {
        case .fetched: note("f", "\(at)", device)
        case .displayed: note("d", "\(at)", device)
        case .read: note("r", "\(at)", device)
        case .dismissed: note("x", "\(at)", device)
        case .action, .reply:
            let response = receipt.response.flatMap { ResponseOption.allCases.firstIndex(of: $0) }.map { $0 + 1 } ?? 0
            note("a", "\(at)\(receipt.actionID ?? "")\(response)", device)
            if let text = receipt.text { note("t", "\(at)\(text)", device) }
        }
    }

    private mutating func note(_ kind: Character, _ fact: String, _ device: Device) {
        if facts[device]?[kind] == nil { facts[device, default: [:]][kind] = fact }
    }

    private static let order: [Character] = ["f", "d", "r", "x", "a", "t"]

    var rows: [String] {
        facts.keys.sorted().map { device in
            let texts = Self.order.compactMap { kind in facts[device]?[kind].map { "\(kind)\($0)" } }
            return "\(device.notification) \(device.installation) " + texts.joined(separator: " ")
        }
    }

    /// Notification, the ledger's code of the kind, devices.
    var counts: [[String]] {
        (Int64(1)...2).flatMap { notification in
            Self.order.enumerated().compactMap { position, kind in
                let count = facts.count { $0.key.notification == notification && $0.value[kind] != nil }
                return count == 0 ? nil : ["\(notification)", "\(11 + position)", "\(count)"]
            }
        }
    }

    var receipts: Int { seen.values.reduce(0) { $0 + $1.count } }
}
