import HTTP

extension APIRoute {
    private static let notification = "/api/notifications/{id}"

    /// A phone far from its mast sends the longest content at some 400 kbit/s.
    private static let uploadTime = Duration.seconds(300)

    /// What keeps, serves and links the contents of notifications.
    static let notifications: [APIRoute] = [
        APIRoute(
            method: .post,
            pattern: "/api/notifications",
            access: .keyOrDevice(.send),
            bodyLimit: DocumentUpload.limit,
            isStreamed: true,
            timeLimit: uploadTime
        ) { try await $0.postNotification($1) },
        APIRoute(method: .get, pattern: notification, access: .signedOr(.listen)) { try await $0.readContent($1) },
        // Whatever a key may do, it may hand on what the hub's devices fetch.
        APIRoute(method: .post, pattern: notification + "/link", access: .keyOrDevice([])) {
            try await $0.linkContent($1)
        },
    ]
}
