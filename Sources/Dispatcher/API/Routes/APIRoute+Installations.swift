import HTTP

extension APIRoute {
    /// Templates and tags at their limits, with room for escapes.
    private static let installationLimit = 256 * 1024
    private static let installation = "/api/installations/{id}"

    /// What registers devices and finds them.
    static let installations: [APIRoute] = [
        APIRoute(method: .get, pattern: "/api/installations", access: .key(.manage)) {
            try await $0.listInstallations($1)
        },
        APIRoute(method: .get, pattern: "/api/installations/export", access: .key(.manage)) {
            try await $0.exportInstallations($1)
        },
        APIRoute(
            method: .post,
            pattern: "/api/installations/import",
            access: .key(.manage),
            bodyLimit: 1 << 30,
            isStreamed: true,
            timeLimit: .seconds(3600)
        ) { try await $0.importInstallations($1) },
        APIRoute(method: .get, pattern: installation, access: .keyOrDevice(.listen)) {
            try await $0.readInstallation($1)
        },
        APIRoute(method: .put, pattern: installation, access: .keyOrDevice(.listen), bodyLimit: installationLimit) {
            try await $0.putInstallation($1)
        },
        APIRoute(method: .patch, pattern: installation, access: .keyOrDevice(.listen), bodyLimit: installationLimit) {
            try await $0.patchInstallation($1)
        },
        APIRoute(method: .delete, pattern: installation, access: .keyOrDevice(.listen)) {
            try await $0.deleteInstallation($1)
        },
        APIRoute(method: .post, pattern: installation + "/secret", access: .keyOrDevice(.listen)) {
            try await $0.rotateSecret($1)
        },
    ]
}
