import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Declared categories, from the request of an app's developer to what the gateways get.
    @Suite(.timeLimit(.minutes(4))) struct CategoryTests {
        private static let invite = #"""
            {"actions":[{"id":"accept","title":"Accept"},{"id":"decline","title":"Decline","options":["destructive"]},\#
            {"id":"comment","title":"Comment","input":{"buttonTitle":"Send","placeholder":"Enter comment here..."}}]}
            """#

        private static let devices = [
            Device("mac"), Device("android", platform: "fcmV1"), Device("kindle", platform: "adm"),
            Device("huawei", platform: "hms"),
            Device(
                "firefox",
                platform: "browser",
                channel: #"{"endpoint":"https://push.example.net/ok-1","p256dh":"B","auth":"t"}"#
            ),
            Device("windows", platform: "wns", channel: "https://wns2.notify.windows.com/ok-1"),
        ]

        private static func actions(_ value: JSONValue?) throws -> [String] {
            let list: JSONValue? = try value?.string.map { try JSONParser.parse(Array($0.utf8)) } ?? value
            return list?.elements?.compactMap { ($0["id"] ?? $0["action"])?.string } ?? []
        }

        @Test("a job that names a declared category offers its buttons on every platform")
        func buttons() async throws {
            try await Stage.with { stage in
                try await stage.register(Self.devices)
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.withWorkers { () async throws in
                        let put = try await api.send("PUT", "/api/categories/event-invite", Self.invite)
                        #expect(put.status == 201, "\(put.text)")
                        let job = Job(
                            to: #"{"broadcast":true}"#,
                            content: #"{"title":"Event invite","body":"Dinner?","category":"event-invite"}"#
                        )
                        try await stage.publish([job])
                        #expect(try await stage.finished(job).tally == ["audience": 6, "accepted": 6])
                        let payloads = try stage.witness.payloads(of: job.id)
                        #expect(payloads["mac"]?["aps"]?["category"] == .string("event-invite"))
                        #expect(payloads["mac"]?["actions"] == nil)
                        let all = ["accept", "decline", "comment"]
                        #expect(try Self.actions(payloads["android"]?["message"]?["data"]?["actions"]) == all)
                        #expect(try Self.actions(payloads["kindle"]?["data"]?["actions"]) == all)
                        #expect(try Self.actions(payloads["firefox"]?["notification"]?["actions"]) == all)
                        let toast = try #require(payloads["windows"]?.string)
                        #expect(toast.components(separatedBy: "<action ").count == 4)
                        #expect(toast.contains("Enter comment here..."))
                    }
                }
            }
        }

        @Test("own actions come before the category's, and a change of the category is seen within seconds")
        func changes() async throws {
            try await Stage.with { stage in
                let phone = Device("android", platform: "fcmV1")
                try await stage.register([phone])
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.withWorkers { () async throws in
                        func sent(_ more: String = "") async throws -> [String] {
                            let content = #"{"title":"Event invite","category":"event-invite"\#(more)}"#
                            let job = Job(to: #"{"installations":["android"]}"#, content: content)
                            try await stage.publish([job])
                            _ = try await stage.finished(job)
                            let payload = try stage.witness.payloads(of: job.id)["android"]
                            return try Self.actions(payload?["message"]?["data"]?["actions"])
                        }
                        #expect(try await sent() == [])
                        _ = try await api.send("PUT", "/api/categories/event-invite", Self.invite)
                        #expect(await eventually { try await sent() == ["accept", "decline", "comment"] })
                        #expect(try await sent(#","actions":[{"id":"own","title":"Own"}]"#) == ["own"])
                        let one = #"{"actions":[{"id":"accept","title":"Accept"}]}"#
                        _ = try await api.send("PUT", "/api/categories/event-invite", one)
                        #expect(await eventually { try await sent() == ["accept"] })
                        _ = try await api.send("DELETE", "/api/categories/event-invite")
                        #expect(await eventually { try await sent() == [] })
                    }
                }
            }
        }

        @Test("a category of another hub has no buttons to give")
        func otherHub() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("android", platform: "fcmV1")])
                try await stage.database.execute("INSERT INTO dispatcher.hub (name) VALUES ('other')")
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.category (hub_id, category_id, document)
                    SELECT id, 'invite', '{"id":"invite","actions":[{"id":"a","title":"A"}]}' FROM dispatcher.hub WHERE name = 'other'
                    """
                )
                try await stage.withWorkers {
                    let job = Job(to: #"{"broadcast":true}"#, content: #"{"title":"x","category":"invite"}"#)
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                    let data = try stage.witness.payloads(of: job.id)["android"]?["message"]?["data"]
                    #expect(data?["category"] == .string("invite") && data?["actions"] == nil)
                }
            }
        }
    }
}
