import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S6: conversations, and what of them is unread.
    @Suite(.timeLimit(.minutes(4))) struct S6ThreadTests {
        @Test(
            "unread by thread and user, in the inbox and in SQL, as messages come and are read",
            arguments: Door.allCases
        )
        func threads(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let iphone = try await scene.phone("iphone", user: "alice")
                let ipad = try await scene.phone("ipad", user: "alice")
                var jobs: [Job] = []
                for friend in ["bob", "bob", "carol", "carol"] {
                    let more = #""thread":"message-\#(friend)","summary":{"argument":"\#(friend)"}"#
                    jobs.append(
                        Job(to: #"{"users":["alice"]}"#, content: #"{"title":"\#(friend)","body":"Hi",\#(more)}"#)
                    )
                }
                jobs.append(Job(to: #"{"users":["alice"]}"#, content: #"{"title":"Water the plants"}"#))
                for job in jobs { try await scene.send(job) }
                let aps = try await iphone.push(of: jobs[0].id).payload["aps"]
                #expect(aps?["thread-id"] == .string("message-bob"))
                #expect(aps?["alert"]?["summary-arg"] == .string("bob"))
                #expect(try await iphone.push(of: jobs[4].id).payload["aps"]?["thread-id"] == nil)
                try await Self.expect([":1", "message-bob:2", "message-carol:2"], scene, iphone)
                try await ipad.report("read", jobs[0].id)
                try await Self.expect([":1", "message-bob:1", "message-carol:2"], scene, iphone)
                let answer = try await iphone.app.send("POST", "/api/inbox/read", #"{"thread":"message-carol"}"#)
                #expect(answer.status == 200 && answer.text == #"{"read":2,"unread":2}"#)
                try await Self.expect([":1", "message-bob:1"], scene, ipad)
                try await scene.expect("accepted read", of: jobs[0].id, on: ipad)
                try await scene.expect("accepted", of: jobs[0].id, on: iphone)
            }
        }

        /// Both say the same.
        private static func expect(_ expected: [String], _ scene: Scene, _ phone: Phone) async throws {
            #expect(await eventually { try await scene.unread("alice") == expected })
            #expect(try await scene.unread("alice") == expected)
            let answer = try await phone.app.send("GET", "/api/inbox?unread=true")
            let inbox = try JSONParser.parse(Array(answer.body))
            let counts = inbox["unread"]?["threads"]?.members?.map { "\($0.name):\($0.value.integer ?? 0)" } ?? []
            #expect(counts.sorted() == expected.filter { !$0.hasPrefix(":") })
            let total = expected.reduce(0) { $0 + (Int64($1.split(separator: ":").last ?? "") ?? 0) }
            #expect(inbox["unread"]?["total"]?.integer == total)
        }
    }
}
