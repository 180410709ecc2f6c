import DispatchCore
import Postgres

/// The statements that take a wave of receipts; each answers a row for each, in order: outcome, notification, installation.
enum ReceiptStatement {
    /// Receipts of any hub, for the worker.
    static func all(_ reports: [ReceiptIntake.Report], told: EventChoice) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT outcome, notification_id, installation_id
            FROM dispatcher.take_receipts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)
            """,
            [.int4s(reports.map(\.hub))] + columns(reports.map(\.receipt)) + [.int4(told.receiptMask)]
        )
    }

    /// Receipts of the transaction's hub, for the API.
    static func one(_ receipts: [Receipt], told: EventChoice) -> PostgresStatement {
        PostgresStatement(
            """
            SELECT outcome, notification_id, installation_id
            FROM dispatcher.take_hub_receipts($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
            """,
            columns(receipts) + [.int4(told.receiptMask)]
        )
    }

    private static func columns(_ receipts: [Receipt]) -> [PostgresParameter] {
        [
            .uuidsOrNull(receipts.map { $0.notification.job.map { ($0.high, $0.low) } }),
            .int8sOrNull(receipts.map { $0.notification.number?.rawValue }),
            .texts(receipts.map(\.installationID)),
            .texts(receipts.map(\.id)),
            .int2s(receipts.map(\.kind.code)),
            .timestamptzs(receipts.map(\.at.microseconds)),
            .textsOrNull(receipts.map(\.actionID)),
            .textsOrNull(receipts.map(\.text)),
            .int2sOrNull(receipts.map { $0.response?.code }),
        ]
    }
}

extension NotificationReference {
    var job: UUIDValue? {
        if case .job(let id) = self { id } else { nil }
    }

    var number: NotificationID? {
        if case .number(let id) = self { id } else { nil }
    }
}
