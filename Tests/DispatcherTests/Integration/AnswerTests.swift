import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Notifications that change when they are answered, from the phone's request to what the phone gets.
    @Suite(.timeLimit(.minutes(4))) struct AnswerTests {
        private static let rotate = "rotate-twenty-degrees-action"
        private static let reset = "reset-rotation-action"

        private static let red = #"""
            {"options":["customDismissAction"],"actions":[{"id":"\#(rotate)","title":"Rotate 20°"}],"rules":[\#
            {"on":"\#(rotate)","to":1,"since":"\#(reset)","update":{"actions":[{"id":"\#(rotate)","title":"Rotate 20°"},\#
            {"id":"\#(reset)","title":"Reset rotation"}]}},\#
            {"on":"\#(rotate)","from":9,"to":9,"since":"\#(reset)","update":{}},{"on":"\#(reset)","update":{}}]}
            """#

        private static let invite = #"""
            {"actions":[{"id":"accept","title":"Accept"},{"id":"decline","title":"Decline"},\#
            {"id":"comment","title":"Comment","input":{"buttonTitle":"Send","placeholder":"Enter comment here..."}}],\#
            "rules":[{"on":"accept","for":"user","update":{"body":"Going!","category":null}},\#
            {"on":"decline","update":{"body":"Not Going.","category":null}}]}
            """#

        /// A phone that answers one notification.
        private struct Phone {
            let id: String
            let api: APIClient
            let stage: Stage
            let job: Job

            /// Reports an answer, as often as it likes.
            func answer(_ action: String, _ number: Int, _ more: String = "", times: Int = 1) async throws {
                let kind = more.contains(#""text""#) ? "reply" : "action"
                let second = number < 10 ? "0\(number)" : "\(number)"
                let receipt = #"""
                    {"id":"\#(action)-\#(number)","notificationId":"\#(job.id)","kind":"\#(kind)","actionId":"\#(action)",\#
                    "at":"2026-11-30T08:00:\#(second)Z"\#(more)}
                    """#
                for _ in 0..<times {
                    let answer = try await api.send("POST", "/api/receipts", receipt)
                    #expect((200...204).contains(answer.status), "\(answer.text)")
                }
            }

            /// What came in place of the notification, in the order of its coming, once there are so many.
            func changes(_ count: Int) async throws -> [JSONValue] {
                let sql = """
                    SELECT n.job_id::text FROM dispatcher.notification n
                    JOIN dispatcher.delivery d ON d.notification_id = n.id
                    JOIN dispatcher.installation i ON i.id = d.installation_id AND i.installation_id = '\(id)'
                    WHERE convert_from(n.body, 'UTF8')::json #>> '{options,replaces}' = '\(job.id)' AND d.state = 2
                    ORDER BY n.id
                    """
                try await stage.expect(count, "SELECT count(*) FROM (\(sql)) c")
                return try await stage.database.texts(sql).compactMap { try stage.witness.payloads(of: $0[0])[id] }
            }
        }

        private static func ids(_ payload: JSONValue) -> [String] {
            payload["actions"]?.elements?.compactMap { $0["id"]?.string } ?? []
        }

        private static func register(_ api: APIClient, _ id: String, _ platform: String, user: String) async throws
            -> APIClient
        {
            let body = #"{"platform":"\#(platform)","pushChannel":"ok-\#(id)","userId":"\#(user)"}"#
            let answer = try await api.send("PUT", "/api/installations/\(id)", body)
            return api.as(.bearer(try #require(answer.member("secret"))))
        }

        @Test("nine taps: a second button comes with the first and goes with the ninth, or after a reset")
        func rotation() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    #expect(try await api.send("PUT", "/api/categories/red-category", Self.red).status == 201)
                    let caller = try await Self.register(api, "iphone", "apns", user: "alice")
                    let content = #"{"body":"Turn it","category":"red-category","sound":"default"}"#
                    let job = Job(to: #"{"users":["alice"]}"#, content: content)
                    let phone = Phone(id: "iphone", api: caller, stage: stage, job: job)
                    try await stage.withWorkers(2) { () async throws in
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                        for tap in 1...9 {
                            try await phone.answer(Self.rotate, tap, #","response":"doNotDismiss""#, times: tap % 3 + 1)
                            _ = try await phone.changes(tap < 9 ? 1 : 2)
                        }
                        try await phone.answer(Self.rotate, 10)
                        try await phone.answer(Self.reset, 11, times: 2)
                        _ = try await phone.changes(3)
                        try await phone.answer(Self.rotate, 12)
                        let changes = try await phone.changes(4)
                        let (one, both) = ([String](), [Self.rotate, Self.reset])
                        #expect(changes.map(Self.ids) == [both, one, one, both])
                        for change in changes {
                            #expect(change["aps"]?["category"] == .string("red-category"))
                            #expect(change["aps"]?["sound"] == nil)
                            #expect(change["notificationId"] == .string(job.id))
                        }
                    }
                    let facts = try await stage.database.texts(
                        "SELECT action, response FROM dashboard.deliveries WHERE notification_id = '\(job.id)'"
                    )
                    #expect(facts == [[Self.rotate, "doNotDismiss"]])
                }
            }
        }

        @Test("a change leaves the content that the hub keeps under the id that the phone knows")
        func rich() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await api.send("PUT", "/api/categories/event-invite", Self.invite)
                    let caller = try await Self.register(api, "iphone", "apns", user: "alice")
                    let content = #"""
                        {"title":"Photo","category":"event-invite","attachment":{},\#
                        "rich":{"type":"img","content":{"type":"image/png","data":"iVBORw0KGgo="}}}
                        """#
                    let job = Job(to: #"{"users":["alice"]}"#, content: content)
                    let phone = Phone(id: "iphone", api: caller, stage: stage, job: job)
                    let address = ["DISPATCHER_PUBLIC_URL": "https://hub.example.com"]
                    try await stage.withWorkers(1, address) { () async throws in
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                        try await phone.answer("accept", 1)
                        let change = try #require(try await phone.changes(1).first)
                        let first = try #require(try stage.witness.payloads(of: job.id)["iphone"])
                        #expect(change["aps"]?["alert"]?["body"] == .string("Going!"))
                        #expect(first["richId"] != nil && change["richId"] == first["richId"])
                        #expect(change["richType"] == .string("img"))
                        for payload in [first, change] {
                            let link = payload["my-attachment"]?.string
                            #expect(link?.contains("/api/notifications/\(job.id)?") == true, "\(link ?? "none")")
                        }
                    }
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.content") == 1)
                }
            }
        }

        @Test(
            "an invitation: accepted on one device it says so on all of the user's, declined on the one, and a comment is kept"
        )
        func invitation() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    #expect(try await api.send("PUT", "/api/categories/event-invite", Self.invite).status == 201)
                    let iphone = try await Self.register(api, "iphone", "apns", user: "alice")
                    _ = try await Self.register(api, "pixel", "fcmV1", user: "alice")
                    let kindle = try await Self.register(api, "kindle", "adm", user: "bob")
                    let content = #"{"title":"Event invite","body":"Dinner on Friday?","category":"event-invite"}"#
                    let job = Job(to: #"{"users":["alice","bob"]}"#, content: content)
                    func phone(_ id: String, _ api: APIClient) -> Phone {
                        Phone(id: id, api: api, stage: stage, job: job)
                    }
                    try await stage.withWorkers { () async throws in
                        try await stage.publish([job])
                        _ = try await stage.finished(job)
                        let sent = try stage.witness.payloads(of: job.id)
                        #expect(sent["kindle"]?["data"]?["actions"]?.string?.contains("Enter comment here...") == true)
                        let comment = #","text":"See you there!","response":"dismiss""#
                        try await phone("iphone", iphone).answer("comment", 1, comment)
                        try await phone("iphone", iphone).answer("accept", 2, #","response":"doNotDismiss""#)
                        let going = try await phone("iphone", iphone).changes(1)
                        #expect(going[0]["aps"]?["alert"]?["body"] == .string("Going!"))
                        #expect(going[0]["aps"]?["category"] == nil)
                        let other = try await phone("pixel", iphone).changes(1)
                        #expect(other[0]["message"]?["notification"]?["body"] == .string("Going!"))
                        #expect(other[0]["message"]?["android"]?["notification"]?["tag"] == .string(job.id))
                        try await phone("kindle", kindle).answer(
                            "decline",
                            3,
                            #","response":"dismissAndForwardAction""#
                        )
                        let declined = try await phone("kindle", kindle).changes(1)
                        #expect(declined[0]["notification"]?["body"] == .string("Not Going."))
                        #expect(declined[0]["data"]?["actions"] == nil)
                        #expect(declined[0]["consolidationKey"] == .string(job.id))
                    }
                    let facts = try await stage.database.texts(
                        """
                        SELECT id, installation_id, kind, action, response FROM dashboard.receipts
                        WHERE notification_id = '\(job.id)' ORDER BY received_at
                        """
                    )
                    #expect(
                        facts == [
                            ["comment-1", "iphone", "reply", "comment", "dismiss"],
                            ["accept-2", "iphone", "action", "accept", "doNotDismiss"],
                            ["decline-3", "kindle", "action", "decline", "dismissAndForwardAction"],
                        ]
                    )
                    #expect(
                        try await stage.database.count(
                            "SELECT count(*) FROM dispatcher.outbox WHERE job_id IS NOT NULL"
                        ) == 0
                    )
                }
            }
        }
    }
}
