import DispatchCore
import Foundation
import Postgres
import Testing

@testable import Dispatcher

/// A hub with a worker, its HTTP API and a back end that has a key: what a scenario is played on.
struct Scene: Sendable {
    let stage: Stage

    /// The back end, with the right to do everything in the hub `default`.
    let backend: APIClient

    /// By which of the two ways phones and the back end come in, where both lead there.
    let door: Door

    static let publicAddress = "https://push.example.com"

    /// Plays against real servers; what shows something is kept in inboxes.
    static func play(_ door: Door = .http, _ body: @escaping @Sendable (Scene) async throws -> Void) async throws {
        try await Stage.with { stage in
            try await stage.database.execute("UPDATE dispatcher.hub SET keeps_inbox = true")
            // Where phones would find it, behind something that has TLS.
            let settings = ["DISPATCHER_PUBLIC_URL": publicAddress]
            try await stage.withAPI(settings) { (api: APIClient) async throws in
                try await stage.withWorkers(1, settings) { () async throws in
                    try await body(Scene(stage: stage, backend: api, door: door))
                }
            }
        }
    }

    /// Registers a phone by the scene's door; it gets its secret by HTTP in any case.
    func phone(
        _ id: String,
        user: String,
        platform: String = "apns",
        permission: String = "authorized"
    ) async throws -> Phone {
        let path = "/api/installations/\(id)"
        let document = Phone.document(id, user: user, platform: platform, permission: permission)
        if door == .http {
            let answer = try await backend.send("PUT", path, "{" + document)
            #expect(answer.status == 201)
            return Phone(id: id, user: user, secret: try #require(answer.member("secret")), scene: self)
        }
        try await stage.publish([#"{"installationId":"\#(id)","# + document], to: .installations)
        #expect(await eventually { try await backend.send("GET", path).status == 200 })
        let answer = try await backend.send("POST", path + "/secret")
        return Phone(id: id, user: user, secret: try #require(answer.member("secret")), scene: self)
    }

    /// Sends a job by the scene's door.
    func send(_ job: Job) async throws {
        guard door == .http else { return try await stage.publish([job], lane: .high) }
        let answer = try await backend.send("POST", "/api/jobs", String(decoding: job.body, as: UTF8.self))
        try #require(answer.status == 202, "\(answer.text)")
    }

    /// What the user of the phone is told of the job in `dashboard.deliveries`: state, reason, and what was reported.
    func facts(of notification: String, on phone: Phone) async throws -> String {
        let rows = try await stage.database.texts(
            """
            SELECT concat_ws(' ', state, reason, CASE WHEN fetched_at IS NOT NULL THEN 'fetched' END,
                             CASE WHEN displayed_at IS NOT NULL THEN 'displayed' END,
                             CASE WHEN read_at IS NOT NULL THEN 'read' END,
                             CASE WHEN dismissed_at IS NOT NULL THEN 'dismissed' END,
                             CASE WHEN action_at IS NOT NULL THEN 'action ' || action END, response,
                             CASE WHEN replied_at IS NOT NULL THEN 'replied' END)
            FROM dashboard.deliveries WHERE notification_id::text = $1 AND installation_id = $2
            """,
            [.text(notification), .text(phone.id)]
        )
        return rows.first?[0] ?? "no row"
    }

    /// Waits for the row in SQL.
    func expect(
        _ expected: String,
        of notification: String,
        on phone: Phone,
        _ location: SourceLocation = #_sourceLocation
    ) async throws {
        let isSo = await eventually(within: .seconds(15)) { try await facts(of: notification, on: phone) == expected }
        let found = try await facts(of: notification, on: phone)
        #expect(isSo, "found \(found)", sourceLocation: location)
    }

    /// One column of the view of a notification.
    func figure(_ column: String, of notification: String) async throws -> Int {
        try await stage.database.count(
            "SELECT \(column) FROM dashboard.notifications WHERE id::text = $1",
            [.text(notification)]
        )
    }

    /// What `dashboard.unread` says of a user, as "thread:count", without a thread ":count".
    func unread(_ user: String) async throws -> [String] {
        try await stage.database.texts(
            "SELECT coalesce(thread, '') || ':' || unread FROM dashboard.unread WHERE user_id = $1 ORDER BY 1",
            [.text(user)]
        ).map { $0[0] }
    }
}
