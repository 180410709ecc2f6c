import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S4: the built-in answers and the app's own, each with what became of the notification.
    @Suite(.timeLimit(.minutes(4))) struct S4ResponseTests {
        @Test("each answer is a row; a reply's words are in no view", arguments: Door.allCases)
        func answers(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let accepting = try await scene.phone("iphone", user: "alice")
                let declining = try await scene.phone("pixel", user: "bob", platform: "fcmV1")
                let commenting = try await scene.phone("laptop", user: "bob", platform: "wns")
                let opening = try await scene.phone("browser", user: "carol", platform: "browser")
                let dismissing = try await scene.phone("mate", user: "carol", platform: "hms")
                let content = #"{"title":"Event invite","body":"Dinner on Friday?","category":"event-invite"}"#
                let job = Job(to: #"{"users":["alice","bob","carol"]}"#, content: content)
                try await scene.send(job)
                #expect(try await accepting.push(of: job.id).payload["aps"]?["category"] == .string("event-invite"))
                try await accepting.report(
                    "action",
                    job.id,
                    more: #","actionId":"accept","response":"dismissAndForwardAction""#
                )
                try await declining.report("action", job.id, more: #","actionId":"decline","response":"doNotDismiss""#)
                let words = #","actionId":"comment","text":"Going! — see you","response":"dismiss""#
                try await commenting.report("reply", job.id, more: words)
                try await opening.report("displayed", job.id)
                try await opening.report("read", job.id)
                try await dismissing.report("dismissed", job.id)
                try await scene.expect("accepted action accept dismissAndForwardAction", of: job.id, on: accepting)
                try await scene.expect("accepted action decline doNotDismiss", of: job.id, on: declining)
                try await scene.expect("accepted action comment dismiss replied", of: job.id, on: commenting)
                try await scene.expect("accepted displayed read", of: job.id, on: opening)
                try await scene.expect("accepted dismissed", of: job.id, on: dismissing)
                try await Self.expectFigures(of: job, scene)
            }
        }

        private static func expectFigures(of job: Job, _ scene: Scene) async throws {
            for (column, count) in [("read", 1), ("displayed", 1), ("dismissed", 1), ("acted", 3), ("replied", 1)] {
                #expect(try await scene.figure(column, of: job.id) == count, "\(column)")
            }
            let words = "SELECT count(*) FROM dispatcher.reading WHERE reply = 'Going! — see you'"
            #expect(try await scene.stage.database.count(words) == 1)
        }
    }
}
