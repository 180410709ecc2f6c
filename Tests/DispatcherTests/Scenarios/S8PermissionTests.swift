import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S8: what the user allows.
    @Suite(.timeLimit(.minutes(4))) struct S8PermissionTests {
        @Test(
            "denied is suppressed and counted, provisional is sent, and a change counts at once",
            arguments: Door.allCases
        )
        func permission(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let denied = try await scene.phone("denied", user: "dave", permission: "denied")
                let quiet = try await scene.phone("quiet", user: "erin", permission: "provisional")
                let asked = try await scene.phone("asked", user: "erin", platform: "fcmV1", permission: "notDetermined")
                let first = Job(to: #"{"broadcast":true}"#)
                try await scene.send(first)
                for phone in [quiet, asked] {
                    _ = try await phone.push(of: first.id)
                    try await scene.expect("accepted", of: first.id, on: phone)
                }
                try await scene.expect("suppressed PermissionDenied", of: first.id, on: denied)
                let tally = try await scene.stage.finished(first).tally
                #expect(tally == ["audience": 3, "accepted": 2, "suppressed": 1])
                #expect(try denied.pushes().isEmpty)

                let change = #"[{"op":"replace","path":"/permission","value":"authorized"}]"#
                #expect(try await denied.app.patch("/api/installations/denied", change).status == 200)
                let second = Job(to: #"{"users":["dave"]}"#)
                try await scene.send(second)
                _ = try await denied.push(of: second.id)
                try await denied.report("read", second.id)
                try await scene.expect("accepted read", of: second.id, on: denied)
            }
        }
    }
}
