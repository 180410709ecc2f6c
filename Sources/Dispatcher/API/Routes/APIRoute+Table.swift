import HTTP

extension APIRoute {
    /// Everything the API does; schemas/openapi.yaml has the same paths and methods.
    static let all: [APIRoute] = health + installations + jobs + notifications + categories + users + receipts + inbox

    private static let health = [
        APIRoute(method: .get, pattern: "/health", access: .open) { $0.health($1) },
        APIRoute(method: .get, pattern: "/ready", access: .open) { $0.ready($1) },
    ]
}
