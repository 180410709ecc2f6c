import DispatchCore
import Postgres

/// Takes what devices report, whichever way it came: finds what each receipt is about, adds it, and does in the same
/// transaction what follows from it.
struct ReceiptIntake: Sendable {
    let pool: PostgresPool

    /// The kinds of receipts that other services are told of.
    let told: EventChoice

    /// A receipt and its hub.
    struct Report: Sendable {
        let hub: Int32
        let receipt: Receipt
    }

    /// Takes a wave of any hubs; answers in its order.
    func take(_ reports: [Report]) async throws -> [ReceiptOutcome] {
        guard !reports.isEmpty else { return [] }
        let statement = ReceiptStatement.all(reports, told: told)
        return try await pool.withThrowingSession { session in
            try session.throwingTransaction { session in
                try Self.finish(reports, try session.execute(statement), session)
            }
        }
    }

    /// Takes a wave of one hub, as the API may.
    func take(_ receipts: [Receipt], in hub: Int32) async throws -> [ReceiptOutcome] {
        guard !receipts.isEmpty else { return [] }
        let statement = ReceiptStatement.one(receipts, told: told)
        let reports = receipts.map { Report(hub: hub, receipt: $0) }
        return try await pool.inHub(hub) { session in
            try Self.finish(reports, try session.execute(statement), session)
        }
    }

    private static func finish(
        _ reports: [Report],
        _ rows: PostgresRows,
        _ session: borrowing PostgresSession
    ) throws -> [ReceiptOutcome] {
        var outcomes: [ReceiptOutcome] = []
        outcomes.reserveCapacity(reports.count)
        for row in 0..<rows.count { outcomes.append(try ReceiptOutcome(reports[row], rows, row)) }
        try follow(outcomes, session)
        return outcomes
    }

    /// What new answers lead to, in the transaction that adds them; the rules of categories have their place here.
    private static func follow(_ outcomes: [ReceiptOutcome], _ session: borrowing PostgresSession) throws {}
}
