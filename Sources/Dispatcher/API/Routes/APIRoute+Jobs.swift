import DispatchCore
import HTTP

extension APIRoute {
    /// What sends, asks and cancels.
    static let jobs: [APIRoute] = [
        APIRoute(method: .post, pattern: "/api/jobs", access: .key(.send), bodyLimit: JobLimits.json.bytes) {
            try await $0.postJob($1)
        },
        APIRoute(method: .get, pattern: "/api/jobs/{id}", access: .key(.send)) { try await $0.readJob($1) },
        APIRoute(method: .delete, pattern: "/api/jobs/{id}", access: .key(.send)) { try await $0.cancelJob($1) },
    ]
}
