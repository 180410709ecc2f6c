import Postgres

/// The group roles of the database, and which of them a command works with.
enum DatabaseRole: String, CaseIterable {
    case owner = "dispatcher_owner"
    case worker = "dispatcher_worker"
    case api = "dispatcher_api"
    case dashboard = "dispatcher_dashboard"

    /// The roles of which one is enough for the command, the least first; docs/operations.md has the same table.
    static func enough(for words: [String]) -> [DatabaseRole] {
        switch words.joined(separator: " ") {
        case "status", "dead-letters list": [.dashboard, .worker, .owner]
        case "serve": [.api]
        case "keys create", "keys list", "keys rotate", "keys delete", "links rotate", "hubs create", "hubs set",
            "publishers add", "publishers remove", "classes set", "classes delete", "users erase", "migrate":
            [.owner]
        default: [.worker, .owner]
        }
    }

    /// A missing privilege in words: what PostgreSQL says, which names the object, and whom to log in as.
    static func explanation(of error: PostgresError, for words: [String]) -> String? {
        guard error.sqlState == "42501" else { return nil }
        let role = enough(for: words).first?.rawValue ?? ""
        let command = words.joined(separator: " ")
        return "\(error.debugDescription); '\(command)' needs a database login that is a member of \(role)"
    }
}
