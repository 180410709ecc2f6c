@testable import HTTP

/// Starts a server for the time of a body.
func withServer<Value: Sendable>(
    _ configure: (inout HTTPServerConfiguration) -> Void = { _ in },
    policy: @escaping @Sendable (HTTPRequestHead) -> BodyPolicy = { _ in .collect(limit: 1024 * 1024) },
    handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse = { _ in .text(.ok, "hello") },
    _ body: (HTTPServer) async throws -> Value
) async throws -> Value {
    var configuration = HTTPServerConfiguration()
    configuration.drainTimeLimit = .seconds(2)
    configure(&configuration)
    let server = try HTTPServer(configuration: configuration, policy: policy, handler: handler)
    try server.start()
    do {
        let value = try await body(server)
        await server.stop()
        return value
    } catch {
        await server.stop()
        throw error
    }
}

/// Waits, for at most ten seconds, until something holds.
func eventually(_ condition: () -> Bool) async -> Bool {
    for _ in 0..<1000 {
        if condition() { return true }
        try? await Task.sleep(for: .milliseconds(10))
    }
    return condition()
}
