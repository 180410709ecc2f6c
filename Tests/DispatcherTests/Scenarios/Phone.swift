import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

/// A phone with the app on it: what it gets is what the gateway's file says, what it tells goes to the hub.
struct Phone: Sendable {
    let id: String
    let user: String
    let secret: String
    let scene: Scene

    /// The app's own way to the hub.
    var app: APIClient { scene.backend.as(.device(id, secret)) }

    /// The members of its registration after the id.
    static func document(_ id: String, user: String, platform: String, permission: String) -> String {
        let channel =
            switch platform {
            case "browser": #"{"endpoint":"https://push.example.net/ok-\#(id)","p256dh":"BNcR","auth":"tBHI"}"#
            case "wns": #""https://wns2.notify.windows.com/ok-\#(id)""#
            default: #""ok-\#(id)""#
            }
        return #""userId":"\#(user)","platform":"\#(platform)","pushChannel":\#(channel),"#
            + #""tags":["username:\#(user)"],"permission":"\#(permission)"}"#
    }

    /// What has arrived, oldest first.
    func pushes() throws -> [ArrivedPush] { try scene.stage.witness.pushes(to: id) }

    /// The push of the notification, once the gateway has taken it.
    func push(of notification: String) async throws -> ArrivedPush {
        var found: ArrivedPush?
        _ = await eventually(within: .seconds(15)) {
            found = try pushes().first { $0.notification == notification }
            return found != nil
        }
        return try #require(found, "\(id) got nothing")
    }

    /// Tells the hub what its user did with the notification, by the scene's door.
    func report(_ kind: String, _ notification: String, id receipt: String? = nil, more: String = "") async throws {
        var body = ReceiptBody(kind, notification: "\"\(notification)\"", on: id, id: receipt, more: more)
        body.at = Self.now
        if scene.door == .amqp { return try await scene.stage.publish([body.json], to: .receipts) }
        let answer = try await app.send("POST", "/api/receipts", body.json)
        #expect(answer.status / 100 == 2, "\(answer.text)")
    }

    private static var now: String {
        Date.now.ISO8601Format()
    }
}
