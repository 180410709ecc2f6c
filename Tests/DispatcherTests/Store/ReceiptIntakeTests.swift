import DispatchCore
import Testing

@testable import Dispatcher

@Suite(.enabled(if: Servers.areAvailable), .timeLimit(.minutes(4))) struct ReceiptIntakeTests {
    private static let start: Int64 = 1_700_000_000

    private static func random(_ ordinal: Int, _ generator: inout some RandomNumberGenerator) -> Receipt {
        let kind = ReceiptKind.allCases.randomElement(using: &generator) ?? .read
        let isAnswer = kind == .action || kind == .reply
        let options: [ResponseOption?] = [nil] + ResponseOption.allCases
        return Receipt(
            id: "r\(Int.random(in: 0..<12, using: &generator))",
            notification: .number(NotificationID(rawValue: Int64.random(in: 1...2, using: &generator))),
            installationID: "i\(Int.random(in: 1...3, using: &generator))",
            kind: kind,
            actionID: isAnswer ? "action-\(ordinal)" : nil,
            text: kind == .reply ? "text-\(ordinal)" : nil,
            response: isAnswer ? options.randomElement(using: &generator) ?? nil : nil,
            at: Timestamp(seconds: start + Int64(Int.random(in: -50...50, using: &generator)))
        )
    }

    /// Two notifications that were sent to three installations.
    private static func prepare(_ database: TestDatabase) async throws {
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, user_id)
            SELECT 1, 'i' || n, 1, 'ok-' || n, 'alice' FROM generate_series(1, 3) n;
            INSERT INTO dispatcher.notification (id, created_at, expires_at, job_id, hub_id, audience, lane, target, body)
            SELECT n, to_timestamp(\(start)), now(), gen_random_uuid(), 1, 3, 1, '', '' FROM generate_series(1, 2) n;
            INSERT INTO dispatcher.delivery (notification_id, installation_id, accepted_at, finished_at, state, platform, attempts)
            SELECT n, i.id, now(), now(), 2, 1, 1 FROM dispatcher.installation i, generate_series(1, 2) n;
            """
        )
    }

    @Test("random waves lead to what the receipts lead to one after another, and to an event for each new one")
    func equalsModel() async throws {
        var generator = SystemDice()
        try await withDatabase { database in
            try await Self.prepare(database)
            let intake = ReceiptIntake(pool: database.pool, told: .usual)
            var model = KnownFacts()
            var ordinal = 0
            for turn in 0..<40 {
                let wave = (0..<Int.random(in: 1...6, using: &generator)).map { _ in
                    ordinal += 1
                    return Self.random(ordinal, &generator)
                }
                // Both ways in are one.
                let outcomes =
                    turn % 2 == 0
                    ? try await intake.take(wave.map { ReceiptIntake.Report(hub: 1, receipt: $0) })
                    : try await intake.take(wave, in: 1)
                #expect(outcomes.map(\.isNew) == wave.map { model.add($0, acceptedAt: Timestamp(seconds: Self.start)) })
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
            let told = """
                SELECT count(*) FROM dispatcher.outbox o
                JOIN dispatcher.receipt r USING (notification_id, installation_id, receipt_id)
                WHERE o.event = r.kind AND o.device = 'i' || o.installation_id AND o.user_id = 'alice' AND o.platform = 1
                """
            #expect(try await database.count(told) == model.receipts)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.outbox") == model.receipts)
        }
    }

    @Test("what nobody wants to hear of leaves no event")
    func untold() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let intake = ReceiptIntake(pool: database.pool, told: EventChoice([.reply, .failed]))
            var generator = SystemDice()
            let wave = (0..<60).map { Self.random($0, &generator) }
            _ = try await intake.take(wave, in: 1)
            #expect(try await database.count("SELECT count(*) FROM dispatcher.outbox WHERE event <> 6") == 0)
        }
    }

    @Test("receipts about nothing are refused by name and take no neighbour along")
    func refused() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            try await database.execute(
                """
                INSERT INTO dispatcher.hub (name) VALUES ('other');
                DELETE FROM dispatcher.delivery WHERE notification_id = 2 AND installation_id = 3;
                """
            )
            let intake = ReceiptIntake(pool: database.pool, told: .usual)
            func read(_ number: Int64, _ installation: String) -> Receipt {
                Receipt(
                    id: "read",
                    notification: .number(NotificationID(rawValue: number)),
                    installationID: installation,
                    kind: .read,
                    at: Timestamp(seconds: Self.start)
                )
            }
            let wave = [read(1, "i1"), read(3, "i1"), read(1, "i4"), read(2, "i3"), read(1, "i1"), read(2, "i2")]
            let outcomes = try await intake.take(wave, in: 1)
            #expect(
                outcomes.map(\.word) == [
                    "added", "unknownNotification", "unknownInstallation", "notAddressed", "known", "added",
                ]
            )
            let foreign = try await intake.take(wave, in: 2)
            #expect(foreign.map(\.word) == wave.map { _ in "unknownNotification" })
            #expect(try await database.count("SELECT count(*) FROM dispatcher.receipt") == 2)
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

    /// Answers whether it is new.
    mutating func add(_ receipt: Receipt, acceptedAt: Timestamp) -> Bool {
        guard case .number(let notification) = receipt.notification else { return false }
        let device = Device(
            notification: notification.rawValue,
            installation: Int64(receipt.installationID.dropFirst()) ?? 0
        )
        guard seen[device, default: []].insert(receipt.id).inserted else { return false }
        let at = max(receipt.at, acceptedAt).seconds
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
        return true
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

extension ReceiptOutcome {
    fileprivate var isNew: Bool {
        if case .added = self { true } else { false }
    }

    fileprivate var word: String {
        switch self {
        case .added: "added"
        case .known: "known"
        case .refused(let mistake): mistake.rawValue
        }
    }
}
