import AMQP
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension Stage {
    /// A job for a hub that is not there.
    static func homeless(_ hub: String = "later", id: String = UUID().uuidString.lowercased()) -> Job {
        var job = Job(to: #"{"tags":"crowd"}"#, id: id)
        let body = #"{"id":"\#(id)","hub":"\#(hub)","to":{"tags":"crowd"},"content":{"title":"Hello"}}"#
        job.body = Array(body.utf8)
        job.messageID = id
        return job
    }

    /// Adds the hub, with one device that has the tag `crowd`.
    func addHub(_ name: String = "later") async throws {
        try await database.execute("INSERT INTO dispatcher.hub (name) VALUES ('\(name)')")
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, installation_id, platform, push_channel, tags)
            SELECT h.id, 'phone', 1, 'ok-phone', ARRAY['crowd'] FROM dispatcher.hub h WHERE h.name = '\(name)'
            """
        )
    }

    /// Publishes jobs that workers refuse, and waits until they are filed.
    func refuse(_ jobs: [Job], lane: Lane = .normal) async throws {
        let before = try await count("TRUE")
        try await withWorkers {
            try await publish(jobs, lane: lane)
            let isFiled = await eventually { try await count("published_at IS NOT NULL") == before + jobs.count }
            #expect(isFiled)
        }
    }

    func count(_ condition: String) async throws -> Int {
        try await database.count("SELECT count(*) FROM dashboard.dead_letters WHERE \(condition)")
    }

    /// The number of the letter of a job.
    func letter(_ job: Job) async throws -> String {
        let rows = try await database.texts(
            "SELECT id::text FROM dashboard.dead_letters WHERE message_id = $1",
            [.text(job.id)]
        )
        return try #require(rows.first)[0]
    }

    func deadLetters(
        _ arguments: [String],
        _ changes: [String: String] = [:]
    ) async throws -> (exit: Program.Exit?, output: String, errors: String) {
        try await Program.run(["dead-letters"] + arguments, environment: environment(changes))
    }

    /// Expects table and queue to agree, in the number given.
    func expectAgreement(_ count: Int, _ location: SourceLocation = #_sourceLocation) async throws {
        let topology = try Servers.topology()
        let agrees = await eventually(within: .seconds(5)) {
            let waiting = try await topology.messageCount("push.dead")
            return try await self.count("state = 'open'") == count && waiting == count
        }
        let open = try await self.count("state = 'open'")
        let waiting = try await topology.messageCount("push.dead")
        #expect(agrees, "\(open) open, \(waiting) in push.dead, not \(count)", sourceLocation: location)
    }
}
