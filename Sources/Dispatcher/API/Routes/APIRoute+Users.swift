import HTTP

extension APIRoute {
    /// What forgets users.
    static let users: [APIRoute] = [
        APIRoute(method: .delete, pattern: "/api/users/{id}", access: .key(.manage)) { try await $0.eraseUser($1) },
        APIRoute(method: .get, pattern: "/api/users/{id}/erasure", access: .key(.manage)) {
            try await $0.readErasure($1)
        },
    ]
}
