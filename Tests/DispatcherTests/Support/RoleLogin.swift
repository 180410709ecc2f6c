import Foundation

@testable import Dispatcher

/// A login that is a member of one of the group roles, for one database.
struct RoleLogin: Sendable {
    let role: DatabaseRole
    let url: String
    private let name: String

    /// Gives the body a login for each role and drops them afterwards.
    static func withAll<R>(_ database: TestDatabase, _ body: ([RoleLogin]) async throws -> R) async throws -> R {
        var logins: [RoleLogin] = []
        let result: Result<R, any Error>
        do {
            for role in DatabaseRole.allCases { logins.append(try await RoleLogin(role, database)) }
            result = .success(try await body(logins))
        } catch {
            result = .failure(error)
        }
        for login in logins {
            try await Servers.execute("DROP OWNED BY \(login.name); DROP ROLE \(login.name)", database: database.name)
        }
        return try result.get()
    }

    private init(_ role: DatabaseRole, _ database: TestDatabase) async throws {
        self.role = role
        // Not by the name of the product's own roles, of which a test says that they do not log in.
        name = "login_" + database.name + "_" + String(describing: role)
        guard var parts = URLComponents(string: database.url) else { throw URLError(.badURL) }
        parts.user = name
        url = parts.string ?? ""
        try await Servers.execute("CREATE ROLE \(name) LOGIN IN ROLE \(role.rawValue)")
    }
}
