import Postgres
import Synchronization

/// Reads by key that many requests do at once: the questions of a hub that wait go in one round trip.
///
/// Each keeps its own statement and its own answer. A question that takes long is better asked alone, with
/// `PostgresPool.inHub(_:ask:_:)`, because the others of its wave would wait for it.
struct HubReads: Sendable {
    private struct Question: Sendable {
        let statement: PostgresStatement
        /// Keeps what the rows say for the one who asks.
        let read: @Sendable (PostgresRows) throws -> Void
    }

    private final class Slot<Value: Sendable>: Sendable {
        let value = Mutex<Value?>(nil)
    }

    private let waves: RequestWaves<Question, Result<Void, any Error>>

    /// The most questions of a wave.
    private static let limit = 100

    init(pool: PostgresPool) {
        waves = RequestWaves(limit: Self.limit) { hub, questions in
            try await pool.inHub(hub, ask: questions.map(\.statement)) { rows in
                zip(questions, rows).map { question, rows in Result { try question.read(rows) } }
            }
        }
    }

    /// What `read` makes of the statement's rows.
    func ask<Value: Sendable>(
        _ statement: PostgresStatement,
        in hub: Int32,
        _ read: @escaping @Sendable (PostgresRows) throws -> Value
    ) async throws -> Value {
        let slot = Slot<Value>()
        let question = Question(statement: statement) { rows in
            let value = try read(rows)
            slot.value.withLock { $0 = value }
        }
        try await waves.answer(question, in: hub).get()
        return try slot.value.withLock { value in
            guard let value else { throw PostgresError(.protocol, operation: "read in a wave") }
            return value
        }
    }
}
