import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension Stage {
    /// What the gateway got for each device of a notification.
    func payloads(of job: String) throws -> [String: JSONValue] {
        let data = FileManager.default.contents(atPath: witness.path) ?? Data()
        var payloads: [String: JSONValue] = [:]
        for line in data.split(separator: 0x0A) {
            let value = try JSONParser.parse(Array(line))
            guard value["notificationId"]?.string == job, let device = value["installationId"]?.string else { continue }
            payloads[device] = value["payload"]
        }
        return payloads
    }

    /// The hub's number of a notification.
    func number(of job: String) async throws -> Int64 {
        let rows = try await database.texts("SELECT number::text FROM dashboard.notifications WHERE id = '\(job)'")
        return try #require(rows.first.flatMap { Int64($0[0]) })
    }
}

extension Stage {
    /// Waits until a notification is finished, and expects that every device's gateway took it.
    func expectAccepted(_ job: String, within limit: Duration = .seconds(30)) async throws {
        let sql = """
            SELECT count(*) FROM dashboard.notifications
            WHERE id = '\(job)' AND state = 'completed' AND accepted = audience AND audience > 0
            """
        try await expect(1, sql, within: limit)
    }
}

extension APIClient {
    /// Waits until the server has found its broker.
    func ready() async throws {
        let isReady = await eventually { try await send("GET", "/ready").status == 200 }
        try #require(isReady)
    }

    /// Registers a device and acts as it.
    func device(_ id: String, user: String?) async throws -> APIClient {
        let more = user.map { #""userId":"\#($0)""# } ?? ""
        let answer = try await send("PUT", "/api/installations/\(id)", Stage.phone("ok-\(id)", more))
        return self.as(.device(id, try #require(answer.member("secret"))))
    }
}
