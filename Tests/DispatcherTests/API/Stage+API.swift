import Foundation
import Testing

@testable import Dispatcher

extension Stage {
    /// The secret of every key of `withAPI`.
    static let secret = "c2VjcmV0LXNlY3JldC1zZWNyZXQtc2VjcmV0LTEyMzQ="

    /// Runs a server while the body runs; the client signs with the key `all` of the hub `default`.
    func withAPI<R>(_ changes: [String: String] = [:], _ body: (APIClient) async throws -> R) async throws -> R {
        let environment = Environment(environment(changes.merging(["DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0"]) { $1 }))
        let configuration = try Configuration(environment)
        let settings = try HTTPSettings(environment)
        try await addKey("all", rights: .manage)
        let server = try await APIServer.start(configuration, settings, log: Log(minimum: .error))
        let result: Result<R, any Error>
        do {
            let client = APIClient(port: server.port, identity: .key("all", Self.secret))
            // Jobs are refused until the broker is reached; a test that names a broker of its own looks itself.
            if changes["DISPATCHER_AMQP_URL"] == nil {
                _ = await eventually { try await client.as(.nobody).send("GET", "/ready").status == 200 }
            }
            result = .success(try await body(client))
        } catch {
            result = .failure(error)
        }
        await server.stop()
        return try result.get()
    }

    func addKey(_ name: String, rights: AccessRights, hub: String = "default", secret: String = secret) async throws {
        try await database.execute("INSERT INTO dispatcher.hub (name) VALUES ('\(hub)') ON CONFLICT DO NOTHING")
        let store = KeyStore(pool: database.pool)
        do {
            try await store.create(name, hub: hub, rights: rights, primary: secret, secondary: "second-" + secret)
        } catch KeyStore.Failure.taken {}
    }

    /// A phone's document.
    static func phone(_ channel: String, _ more: String = "") -> String {
        #"{"platform":"apns","pushChannel":"\#(channel)"\#(more.isEmpty ? "" : ",")\#(more)}"#
    }
}
