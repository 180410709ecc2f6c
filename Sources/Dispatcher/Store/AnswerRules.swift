import DispatchCore
import Postgres

/// Applies the rules of categories to new answers, in the transaction that has added them.
///
/// An answer has one rule at most: the first of its category that is for it. Of the answers of a wave by one device to one
/// notification the last one's follow-up is sent, since it takes the place of the others'.
enum AnswerRules {
    /// Whose rows may be looked at.
    enum Reach: Sendable {
        /// A worker's, which takes receipts of every hub.
        case everyHub

        /// The API's, in a transaction that has said its hub.
        case oneHub
    }

    /// Writes what follows from the answers among the receipts, which are in the order of their arrival.
    static func apply(
        to added: [AddressedReceipt],
        reach: Reach,
        _ session: borrowing PostgresSession
    ) throws(PostgresError) {
        let answers = added.filter { $0.receipt.actionID != nil }
        guard !answers.isEmpty else { return }
        let rows = try session.execute(AnswerStatement.find(answers, reach: reach))
        var updates: [AnswerUpdate] = []
        for row in 0..<rows.count {
            guard let update = try AnswerUpdate(FoundAnswer(rows, row, among: answers)) else { continue }
            updates.removeAll { $0.isReplaced(by: update) }
            updates.append(update)
        }
        guard !updates.isEmpty else { return }
        try session.execute(AnswerStatement.add(updates, reach: reach))
    }
}
