import DispatchCore
import Postgres

/// The statements by which rules are applied; those of the API see the transaction's hub alone.
enum AnswerStatement {
    /// Answers a row for each answer that may have a rule, in their order.
    static func find(_ answers: [AddressedReceipt], reach: AnswerRules.Reach) -> PostgresStatement {
        let keys: [PostgresParameter] = [
            .int8s(answers.map(\.notification.rawValue)), .int8s(answers.map(\.installation.rawValue)),
            .texts(answers.map { $0.receipt.actionID ?? "" }),
        ]
        let columns =
            "ordinal, documents, job_id, body, expires_at, devices, known_receipts, known_actions"
        return switch reach {
        case .everyHub:
            PostgresStatement(
                "SELECT \(columns) FROM dispatcher.find_answers($1, $2, $3, $4)",
                [.int4s(answers.map(\.hub))] + keys
            )
        case .oneHub: PostgresStatement("SELECT \(columns) FROM dispatcher.find_hub_answers($1, $2, $3)", keys)
        }
    }

    /// Has the jobs published.
    static func add(_ updates: [AnswerUpdate], reach: AnswerRules.Reach) -> PostgresStatement {
        let columns: [PostgresParameter] = [
            .int8s(updates.map(\.answer.notification.rawValue)),
            .uuids(updates.map { ($0.job.id.high, $0.job.id.low) }),
            .byteas(updates.map { JSONWriter.encode($0.job.document) }),
        ]
        return switch reach {
        case .everyHub:
            PostgresStatement(
                "SELECT dispatcher.add_follow_ups($1, $2, $3, $4)",
                [.int4s(updates.map(\.answer.hub))] + columns
            )
        case .oneHub: PostgresStatement("SELECT dispatcher.add_hub_follow_ups($1, $2, $3)", columns)
        }
    }
}
