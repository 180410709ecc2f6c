import DispatchCore
import HTTP

extension APIRoute {
    private static let category = "/api/categories/{id}"

    /// What declares categories, and hands them to the apps that register them.
    static let categories: [APIRoute] = [
        APIRoute(method: .get, pattern: "/api/categories", access: .keyOrDevice(.listen)) {
            try await $0.listCategories($1)
        },
        APIRoute(method: .get, pattern: category, access: .keyOrDevice(.listen)) { try await $0.readCategory($1) },
        APIRoute(method: .put, pattern: category, access: .key(.manage), bodyLimit: CategoryLimits.bodyBytes) {
            try await $0.putCategory($1)
        },
        APIRoute(method: .delete, pattern: category, access: .key(.manage)) { try await $0.deleteCategory($1) },
    ]
}
