import HTTP

extension APIRoute {
    /// What users have been told, and have read.
    static let inbox: [APIRoute] = [
        APIRoute(method: .get, pattern: "/api/inbox", access: .keyOrDevice(.listen)) { try await $0.listInbox($1) },
        APIRoute(method: .post, pattern: "/api/inbox/read", access: .keyOrDevice(.listen), bodyLimit: 4096) {
            try await $0.readInbox($1)
        },
        APIRoute(method: .post, pattern: "/api/notifications/{id}/read", access: .keyOrDevice(.listen)) {
            try await $0.readNotification($1)
        },
    ]
}
