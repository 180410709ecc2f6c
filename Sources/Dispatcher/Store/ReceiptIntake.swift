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
                try Self.finish(reports, try session.execute(statement), reach: .everyHub, session)
            }
        }
    }

    /// Takes a wave of one hub, as the API may.
    func take(_ receipts: [Receipt], in hub: Int32) async throws -> [ReceiptOutcome] {
        guard !receipts.isEmpty else { return [] }
        let statement = ReceiptStatement.one(receipts, told: told)
        let reports = receipts.map { Report(hub: hub, receipt: $0) }
        return try await pool.inHub(hub) { session in
            try Self.finish(reports, try session.execute(statement), reach: .oneHub, session)
        }
    }

    private static func finish(
        _ reports: [Report],
        _ rows: PostgresRows,
        reach: AnswerRules.Reach,
        _ session: borrowing PostgresSession
    ) throws -> [ReceiptOutcome] {
        var outcomes: [ReceiptOutcome] = []
        outcomes.reserveCapacity(reports.count)
        for row in 0..<rows.count { outcomes.append(try ReceiptOutcome(reports[row], rows, row)) }
        try AnswerRules.apply(to: outcomes.compactMap(\.added), reach: reach, session)
        return outcomes
    }
}

extension ReceiptOutcome {
    /// The receipt, if it is new.
    fileprivate var added: AddressedReceipt? {
        if case .added(let receipt) = self { receipt } else { nil }
    }
}
