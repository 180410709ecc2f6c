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
