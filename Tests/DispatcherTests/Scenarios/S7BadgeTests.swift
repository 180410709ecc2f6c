import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S7: the number on the icon.
    @Suite(.timeLimit(.minutes(4))) struct S7BadgeTests {
        @Test(
            "the badge in the push is the count in SQL, and a read on one device changes the other's",
            arguments: Door.allCases
        )
        func badge(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                try await scene.stage.database.execute("UPDATE dispatcher.hub SET syncs_badge = true")
                let iphone = try await scene.phone("iphone", user: "alice")
                let ipad = try await scene.phone("ipad", user: "alice")
                let jobs = (0..<3).map { _ in
                    Job(to: #"{"users":["alice"]}"#, content: #"{"title":"News","badge":"unread"}"#)
                }
                for (index, job) in jobs.enumerated() {
                    try await scene.send(job)
                    for phone in [iphone, ipad] {
                        let badge = try await phone.push(of: job.id).payload["aps"]?["badge"]?.integer
                        #expect(badge == Int64(index + 1))
                    }
                    #expect(try await scene.unread("alice") == [":\(index + 1)"])
                }
                try await ipad.report("read", jobs[1].id)
                try await scene.expect("accepted read", of: jobs[1].id, on: ipad)
                #expect(try await scene.unread("alice") == [":2"])
                #expect(await eventually(within: .seconds(10)) { try iphone.pushes().count == 4 })
                let last = try #require(try iphone.pushes().last)
                #expect(last.payload["aps"]?["badge"]?.integer == 2 && last.payload["aps"]?["alert"] == nil)
                #expect(try ipad.pushes().count == 3)
            }
        }
    }
}
