import DispatchCore
import HTTP

extension APIRoute {
    private static let jobBody = JobLimits.json.bytes
    private static let job = "/api/jobs/{id}"

    /// What sends, asks, lists, changes and cancels.
    static let jobs: [APIRoute] = [
        APIRoute(method: .post, pattern: "/api/jobs", access: .key(.send), bodyLimit: jobBody) {
            try await $0.postJob($1)
        },
        APIRoute(method: .get, pattern: "/api/jobs", access: .key(.send)) { try await $0.listJobs($1) },
        APIRoute(method: .get, pattern: job, access: .key(.send)) { try await $0.readJob($1) },
        APIRoute(method: .put, pattern: job, access: .key(.send), bodyLimit: jobBody) { try await $0.changeJob($1) },
        APIRoute(method: .delete, pattern: job, access: .key(.send)) { try await $0.cancelJob($1) },
    ]
}
