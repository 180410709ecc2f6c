import DispatchCore
import HTTP
import Postgres

extension APIService {
    /// Forgets a user: the devices at once, everything else in the background.
    func eraseUser(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let user = try request.userID()
        let hub = try request.caller.hub
        _ = try await UserErasures(publisher: publisher, log: log).enter {
            let statement = PostgresStatement(
                "SELECT dispatcher.erase_user($1, $2)",
                [.uuid(high: $0.high, low: $0.low), .text(user)]
            )
            try await pool.inHub(hub) { session in _ = try session.execute(statement) }
        } note: {
            let statement = PostgresStatement(
                "SELECT dispatcher.note_markers($1)",
                [.uuid(high: $0.high, low: $0.low)]
            )
            try await pool.inHub(hub) { session in _ = try session.execute(statement) }
        }
        guard let status = try await erasure(of: user, hub: hub) else { throw Problem.notFound }
        var response = HTTPResponse.json(.accepted, status.document)
        response.add("Location", request.http.target.path + "/erasure")
        return response
    }

    /// How far the last erasure of a user has come.
    func readErasure(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        guard let status = try await erasure(of: try request.userID(), hub: try request.caller.hub) else {
            throw Problem(.notFound, "notFound", "No erasure of this user is known.")
        }
        return .json(.ok, status.document)
    }

    private func erasure(of user: String, hub: Int32) async throws -> ErasureStatus? {
        let statement = PostgresStatement(
            """
            SELECT id, state, requested_at, completed_at, installations, notifications, receipts, dead_letters
            FROM dispatcher.user_erasure($1)
            """,
            [.text(user)]
        )
        return try await pool.inHub(hub, ask: statement) { rows in rows.count == 0 ? nil : try ErasureStatus(rows) }
    }
}

extension APIRequest {
    /// The user that the path names.
    func userID() throws(Problem) -> String {
        try pathID(upTo: IdentifierRules.greatestLength, else: "This is no user's id.", IdentifierRules.isUserID)
    }
}

extension HTTPTarget {
    /// The path as it was sent, escapes and all.
    fileprivate var path: String { String(decoding: rawPath, as: UTF8.self) }
}
