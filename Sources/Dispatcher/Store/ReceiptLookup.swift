import DispatchCore
import Postgres

/// Finds what receipts are about.
struct ReceiptLookup: Sendable {
    let pool: PostgresPool

    /// A receipt and its hub.
    struct Question: Sendable {
        let hub: Int32
        let receipt: Receipt
    }

    enum Answer: Sendable {
        case addressed(AddressedReceipt)
        case unknownNotification
        case unknownInstallation

        /// The notification was not for this installation.
        case notAddressed
    }

    func answers(_ questions: [Question]) async throws -> [Answer] {
        let statement = Self.keys(questions)
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var answers: [Answer] = []
            answers.reserveCapacity(questions.count)
            var early: [Int] = []
            for row in 0..<rows.count {
                answers.append(try Self.answer(rows, row, questions[row].receipt))
                if case .addressed = answers[row], try rows.bool(row, 3) { early.append(row) }
            }
            try Self.settle(early, in: &answers, session)
            return answers
        }
    }

    private static func answer(_ rows: PostgresRows, _ row: Int, _ receipt: Receipt) throws(PostgresError) -> Answer {
        guard let notification = try rows.int8OrNull(row, 0) else { return .unknownNotification }
        guard let installation = try rows.int8OrNull(row, 2) else { return .unknownInstallation }
        return .addressed(
            AddressedReceipt(
                receipt: receipt,
                notification: NotificationID(rawValue: notification),
                installation: InstallationKey(rawValue: installation),
                acceptedAt: Timestamp(microseconds: try rows.timestamp(row, 1))
            )
        )
    }

    /// For each receipt in order: the keys of what it names, and whether there is no delivery row yet.
    ///
    /// LIMIT keeps each of them a probe by its whole key; the planner would rather read a notification's deliveries at once,
    /// and look through a million of them for each receipt.
    private static func keys(_ questions: [Question]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT n.id, n.created_at, i.id, d.installation_id IS NULL
            FROM unnest($1::int4[], $2::uuid[], $3::int8[], $4::text[]) WITH ORDINALITY
                AS r(hub, job, number, installation, ordinal)
            LEFT JOIN LATERAL (
                SELECT id, created_at FROM dispatcher.notification WHERE job_id = r.job AND hub_id = r.hub
                UNION ALL
                SELECT id, created_at FROM dispatcher.notification WHERE id = r.number AND hub_id = r.hub
                LIMIT 1
            ) n ON true
            LEFT JOIN LATERAL (
                SELECT id FROM dispatcher.installation WHERE hub_id = r.hub AND installation_id = r.installation LIMIT 1
            ) i ON true
            LEFT JOIN LATERAL (
                SELECT installation_id FROM dispatcher.delivery
                WHERE notification_id = n.id AND installation_id = i.id
                LIMIT 1
            ) d ON true
            ORDER BY r.ordinal
            """,
            [
                .int4s(questions.map(\.hub)),
                .uuidsOrNull(questions.map { $0.receipt.notification.job.map { ($0.high, $0.low) } }),
                .int8sOrNull(questions.map { $0.receipt.notification.number?.rawValue }),
                .texts(questions.map(\.receipt.installationID)),
            ]
        )
    }

    /// A device may report before its delivery is recorded: it then stands in a batch that has begun.
    private static func settle(
        _ early: [Int],
        in answers: inout [Answer],
        _ session: borrowing PostgresSession
    ) throws(PostgresError) {
        guard !early.isEmpty else { return }
        let rows = try session.execute(recipients(early.compactMap { answers[$0].addressed }))
        var found: Set<Int> = []
        for row in 0..<rows.count { found.insert(Int(try rows.int8(row, 0)) - 1) }
        for (position, index) in early.enumerated() where !found.contains(position) {
            answers[index] = .notAddressed
        }
    }

    /// Which of the pairs, counted from 1, are recorded by now or in a batch that has begun.
    ///
    /// One statement, because a record moves them from the one to the other in one transaction.
    private static func recipients(_ receipts: [AddressedReceipt]) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT r.ordinal
            FROM unnest($1::int8[], $2::int8[]) WITH ORDINALITY AS r(notification, installation, ordinal)
            LEFT JOIN LATERAL (
                SELECT installation_id FROM dispatcher.delivery
                WHERE notification_id = r.notification AND installation_id = r.installation
                LIMIT 1
            ) d ON true
            WHERE d.installation_id IS NOT NULL OR EXISTS (
                SELECT FROM dispatcher.batch b
                CROSS JOIN LATERAL (
                    SELECT notification, size, sum(size) OVER (ORDER BY position) AS upto
                    FROM unnest(b.notification_ids, b.audience_sizes) WITH ORDINALITY AS u(notification, size, position)
                ) part
                WHERE b.epoch > 0 AND r.notification = ANY (b.notification_ids) AND part.notification = r.notification
                  AND r.installation = ANY (b.installation_ids[part.upto - part.size + 1 : part.upto])
            )
            """,
            [.int8s(receipts.map(\.notification.rawValue)), .int8s(receipts.map(\.installation.rawValue))]
        )
    }
}

extension ReceiptLookup.Answer {
    fileprivate var addressed: AddressedReceipt? {
        if case .addressed(let receipt) = self { receipt } else { nil }
    }
}

extension NotificationReference {
    fileprivate var job: UUIDValue? {
        if case .job(let id) = self { id } else { nil }
    }

    fileprivate var number: NotificationID? {
        if case .number(let id) = self { id } else { nil }
    }
}
