import AMQP
import DispatchCore
import HTTP

extension APIService {
    /// The process runs.
    func health(_ request: APIRequest) -> HTTPResponse {
        .json(.ok, Array(#"{"status":"alive"}"#.utf8))
    }

    /// Everything that a request may need is there.
    func ready(_ request: APIRequest) -> HTTPResponse { HealthReport.readiness(obstacles) }

    /// What a request may need and is not there; without a word that would help an attacker.
    ///
    /// It is what is known already: whoever asks waits for no server, and costs none a connection by going away.
    var obstacles: [String] {
        var reasons: [String] = []
        if publisher.state.phase != .ready { reasons.append("the broker does not take messages") }
        if let obstacle = database.obstacle { reasons.append(obstacle) }
        if let found = database.schema, found < SchemaVersion.current {
            reasons.append("the schema is at migration \(found), this version needs \(SchemaVersion.current)")
        }
        return reasons
    }
}
