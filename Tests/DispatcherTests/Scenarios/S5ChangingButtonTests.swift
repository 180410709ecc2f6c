import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// S5: buttons that depend on the answers so far.
    @Suite(.timeLimit(.minutes(4))) struct S5ChangingButtonTests {
        private static let rotate = "rotate-twenty-degrees-action"
        private static let reset = "reset-rotation-action"
        private static let category = """
            {"actions":[{"id":"\(rotate)","title":"Rotate 20°"}],"options":["customDismissAction"],"rules":[\
            {"on":"\(rotate)","to":1,"since":"\(reset)","update":{"actions":[\
            {"id":"\(rotate)","title":"Rotate 20°"},{"id":"\(reset)","title":"Reset rotation"}]}},\
            {"on":"\(rotate)","from":9,"to":9,"since":"\(reset)","update":{}},{"on":"\(reset)","update":{}}]}
            """

        @Test(
            "a second button comes with the first of nine taps and goes with the ninth, in place",
            arguments: Door.allCases
        )
        func nineTaps(_ door: Door) async throws {
            try await Scene.play(door) { scene in
                let name = door == .http ? "red-category" : "green-category"
                let declared = try await scene.backend.send("PUT", "/api/categories/\(name)", Self.category)
                #expect(declared.status == 201, "\(declared.text)")
                let iphone = try await scene.phone("iphone", user: "alice")
                let browser = try await scene.phone("browser", user: "alice", platform: "browser")
                let job = Job(
                    to: #"{"users":["alice"]}"#,
                    content: ##"{"title":"A square","category":"\##(name)"}"##
                )
                try await scene.send(job)
                let shown = try await iphone.push(of: job.id)
                #expect(Self.buttons(try await browser.push(of: job.id)) == [Self.rotate])
                for tap in 1...9 {
                    let more = #","actionId":"\#(Self.rotate)","response":"doNotDismiss""#
                    try await browser.report("action", job.id, id: "tap-\(tap)", more: more)
                    guard tap == 1 || tap == 9 else { continue }
                    let changed = try await Self.push(tap == 1 ? 1 : 2, on: browser)
                    #expect(Self.buttons(changed) == (tap == 1 ? [Self.rotate, Self.reset] : [Self.rotate]))
                    // The same notification for the app and for its user.
                    #expect(changed.data?["notificationId"] == .string(job.id))
                    #expect(changed.payload["notification"]?["tag"] == .string(job.id))
                }
                try await scene.expect("accepted action \(Self.rotate) doNotDismiss", of: job.id, on: browser)
                let taps = "SELECT count(*) FROM dashboard.receipts WHERE action = '\(Self.rotate)'"
                #expect(try await scene.stage.database.count(taps) == 9)
                #expect(try await scene.stage.database.count("SELECT count(*) FROM dashboard.notifications") == 3)
                #expect(try iphone.pushes().map(\.notification) == [shown.notification])
            }
        }

        /// The push that came after so many others.
        private static func push(_ count: Int, on phone: Phone) async throws -> ArrivedPush {
            #expect(await eventually(within: .seconds(10)) { try phone.pushes().count == count + 1 })
            return try #require(try phone.pushes().dropFirst(count).first)
        }

        private static func buttons(_ push: ArrivedPush) -> [String]? {
            push.payload["notification"]?["actions"]?.elements?.compactMap { $0["action"]?.string }
        }
    }
}
