import AMQP
import Foundation
import Postgres

@testable import Dispatcher

/// The two servers of the integration tests, named by the environment as for the program itself.
enum Servers {
    static let brokerURL = ProcessInfo.processInfo.environment["DISPATCHER_AMQP_URL"]
    static let databaseURL = ProcessInfo.processInfo.environment["DISPATCHER_DATABASE_URL"]

    static var areAvailable: Bool { brokerURL != nil && databaseURL != nil }

    static let queues =
        Lane.allCases.flatMap { [$0.jobsQueue, $0.batchesQueue] } + DeviceQueue.allCases.map(\.name)
        + ["push.dead", "push.unroutable"]

    static func endpoint() throws -> AMQPEndpoint { try AMQPEndpoint(url: brokerURL ?? "") }

    static func topology() throws -> AMQPTopology { AMQPTopology(endpoint: try endpoint()) }

    /// Empties every queue of the topology, once the consumers of the test before are gone.
    static func purgeQueues() async throws {
        let topology = try topology()
        for queue in queues {
            _ = await eventually { try await topology.consumerCount(queue) == 0 }
            try await topology.purge(queue)
        }
    }

    /// The test server's URL for another database, and another port where a proxy stands between.
    static func url(database: String, port: Int? = nil) throws -> String {
        guard var parts = URLComponents(string: databaseURL ?? "") else { throw URLError(.badURL) }
        parts.path = "/" + database
        if let port { parts.port = port }
        return parts.string ?? ""
    }

    static func port(of url: String?) -> Int? { url.flatMap { URLComponents(string: $0)?.port } }

    static func execute(_ sql: String, database: String? = nil) async throws {
        let url = try database.map { try Self.url(database: $0) } ?? databaseURL ?? ""
        let configuration = try PostgresConfiguration(url: url, applicationName: "DispatcherTests")
        let connection = try await PostgresConnection.connect(configuration)
        do {
            try await connection.withSession { session throws(PostgresError) in try session.execute(sql) }
        } catch {
            await connection.close()
            throw error
        }
        await connection.close()
    }
}

/// Waits until the condition holds; false when it does not within the time.
///
/// An error counts as "not yet".
func eventually(within limit: Duration = .seconds(20), _ condition: () async throws -> Bool) async -> Bool {
    let end = ContinuousClock.now + limit
    while ContinuousClock.now < end {
        if (try? await condition()) == true { return true }
        try? await Task.sleep(for: .milliseconds(30))
    }
    return (try? await condition()) == true
}
