import AMQP
import DispatchCore
import HTTP

extension APIService {
    /// The process runs.
    func health(_ request: APIRequest) -> HTTPResponse {
        .json(.ok, Array(#"{"status":"alive"}"#.utf8))
    }

    /// Everything that a request may need is there.
    func ready(_ request: APIRequest) async throws -> HTTPResponse {
        HealthReport.readiness(await obstacles())
    }

    /// What a request may need and is not there; without a word that would help an attacker.
    func obstacles() async -> [String] {
        var reasons: [String] = []
        if publisher.state.phase != .ready { reasons.append("the broker does not take messages") }
        do {
            // In a task of its own: who asks and goes away at once must not cost a connection to the database.
            let found = try await Task { try await SchemaVersion.applied(pool) }.value
            if found < SchemaVersion.current {
                reasons.append("the schema is at migration \(found), this version needs \(SchemaVersion.current)")
            }
        } catch {
            reasons.append("the database does not answer")
        }
        return reasons
    }

    /// Whether the database answers now.
    var isDatabaseUp: Bool {
        get async { await Task { (try? await SchemaVersion.applied(pool)) != nil }.value }
    }
}
