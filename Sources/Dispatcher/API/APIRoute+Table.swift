import DispatchCore
import HTTP

extension APIRoute {
    /// Templates and tags at their limits, with room for escapes.
    private static let installationLimit = 256 * 1024
    /// What a job may be over AMQP too.
    private static let jobLimit = JobLimits.json.bytes

    /// Everything the API does; schemas/openapi.yaml has the same paths and methods.
    static let all: [APIRoute] = [
        APIRoute(method: .get, pattern: "/health", access: .open) { $0.health($1) },
        APIRoute(method: .get, pattern: "/ready", access: .open) { try await $0.ready($1) },
        APIRoute(method: .get, pattern: "/api/installations", access: .key(.manage)) {
            try await $0.listInstallations($1)
        },
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
        APIRoute(method: .post, pattern: "/api/jobs", access: .key(.send), bodyLimit: jobLimit) {
            try await $0.postJob($1)
        },
        APIRoute(method: .get, pattern: "/api/jobs/{id}", access: .key(.send)) { try await $0.readJob($1) },
        APIRoute(method: .delete, pattern: "/api/jobs/{id}", access: .key(.send)) { try await $0.cancelJob($1) },
    ]

    private static let installation = "/api/installations/{id}"
}
