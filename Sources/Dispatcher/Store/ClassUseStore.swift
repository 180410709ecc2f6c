import DispatchCore
import Postgres

/// Asks the rules of classes about deliveries that are about to be sent.
struct ClassUseStore: Sendable {
    let pool: PostgresPool

    /// Those whose device is within quiet hours now, and until when.
    func quiet(_ targets: [ClassTarget]) async throws -> [(target: ClassTarget, until: Timestamp)] {
        guard !targets.isEmpty else { return [] }
        let statement = PostgresStatement(
            "SELECT place, until FROM dispatcher.find_quiet($1, $2)",
            [.int8s(targets.map(\.installation.rawValue)), .int4s(targets.map(\.classID))]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [(target: ClassTarget, until: Timestamp)] = []
            found.reserveCapacity(rows.count)
            for row in 0..<rows.count {
                let until = Timestamp(microseconds: try rows.timestamp(row, 1))
                found.append((targets[Int(try rows.int8(row, 0)) - 1], until))
            }
            return found
        }
    }

    /// Counts the deliveries; answers the positions of those that are over a cap.
    func overCaps(_ targets: [ClassTarget]) async throws -> [Int] {
        guard !targets.isEmpty else { return [] }
        let statement = PostgresStatement(
            "SELECT place FROM dispatcher.take_caps($1, $2, $3) AS place",
            [
                .int8s(targets.map(\.notification.rawValue)), .int8s(targets.map(\.installation.rawValue)),
                .int4s(targets.map(\.classID)),
            ]
        )
        return try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var positions: [Int] = []
            for row in 0..<rows.count { positions.append(targets[Int(try rows.int8(row, 0)) - 1].position) }
            return positions
        }
    }
}
