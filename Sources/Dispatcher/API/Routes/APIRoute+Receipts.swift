import DispatchCore
import HTTP

extension APIRoute {
    /// What devices report.
    static let receipts: [APIRoute] = [
        APIRoute(
            method: .post,
            pattern: "/api/receipts",
            access: .keyOrDevice(.listen),
            bodyLimit: JobLimits.json.bytes
        ) {
            try await $0.postReceipts($1)
        }
    ]
}
