import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S3: buttons that are declared once and drawn on each platform as it can.
    @Suite(.timeLimit(.minutes(4))) struct S3ButtonTests {
        static let invite = """
            {"actions":[{"id":"accept","title":"Accept","options":["foreground"]},\
            {"id":"decline","title":"Decline","options":["destructive"]},\
            {"id":"comment","title":"Comment","input":{"buttonTitle":"Send","placeholder":"Enter comment here..."}}],\
            "options":["customDismissAction"]}
            """

        @Test("an app reads the category at launch, and each platform gets its buttons", arguments: Door.allCases)
        func buttons(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let declared = try await scene.backend.send("PUT", "/api/categories/event-invite", Self.invite)
                #expect(declared.status == 201)
                let iphone = try await scene.phone("iphone", user: "alice")
                let browser = try await scene.phone("browser", user: "alice", platform: "browser")
                let laptop = try await scene.phone("laptop", user: "alice", platform: "wns")
                let pixel = try await scene.phone("pixel", user: "alice", platform: "fcmV1")
                let list = try await iphone.app.send("GET", "/api/categories")
                let own = Self.invite.dropFirst()
                #expect(list.text == #"{"categories":[{"id":"event-invite",\#(own)]}"#)
                let tag = try #require(list["ETag"])
                let again = try await iphone.app.send("GET", "/api/categories", nil, ["If-None-Match": tag])
                #expect(again.status == 304 && again.body.isEmpty)

                let content = #"{"title":"Event invite","body":"Dinner on Friday?","category":"event-invite"}"#
                let job = Job(to: #"{"users":["alice"]}"#, content: content)
                try await scene.send(job)
                #expect(try await iphone.push(of: job.id).payload["aps"]?["category"] == .string("event-invite"))
                #expect(try await pixel.push(of: job.id).data?["category"] == .string("event-invite"))
                let drawn = try await browser.push(of: job.id).payload["notification"]?["actions"]?.elements
                #expect(drawn?.map { $0["action"]?.string } == ["accept", "decline", "comment"])
                let toast = try #require(try await laptop.push(of: job.id).payload.string)
                for part in [
                    #"content="Accept""#, #"content="Decline""#, #"placeHolderContent="Enter comment here...""#,
                ] {
                    #expect(toast.contains(part), "\(toast)")
                }
                try await pixel.report("action", job.id, more: #","actionId":"accept","response":"dismiss""#)
                try await scene.expect("accepted action accept dismiss", of: job.id, on: pixel)
            }
        }
    }
}
