import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct JobAPITests {
        private static let tomorrow = Date.now.addingTimeInterval(86_400).formatted(.iso8601)
        private static let id = "0193f2c4-7d1e-7abc-8def-0123456789ab"

        @Test("a job that is answered 202 is in the broker, reaches its device and can be asked about")
        func course() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await api.send("PUT", "/api/installations/phone", Stage.phone("ok-1", #""userId":"alice""#))
                    let body = #"{"to":{"users":["alice"]},"content":{"title":"x","data":{"n":1.50}}}"#
                    let sent = try await api.send("POST", "/api/jobs", body)
                    #expect(sent.status == 202 && sent.member("state") == "queued", "\(sent.text)")
                    let id = try #require(sent.member("id"))
                    #expect(sent["Location"] == "/api/jobs/\(id)")
                    #expect(try await Servers.topology().messageCount(Lane.normal.jobsQueue) == 1)
                    let early = try await api.send("GET", "/api/jobs/\(id)")
                    #expect(early.status == 200 && early.member("state") == "queued", "\(early.text)")
                    #expect(try await api.send("DELETE", "/api/jobs/\(id)").member("code") == "queued")
                    try await stage.withWorkers {
                        let isDone = await eventually {
                            try await api.send("GET", "/api/jobs/\(id)").member("state") == "completed"
                        }
                        #expect(isDone)
                    }
                    let status = try await api.send("GET", "/api/jobs/\(id)")
                    #expect(status.member("accepted") == "1" && status.member("audience") == "1", "\(status.text)")
                    let late = try await api.send("DELETE", "/api/jobs/\(id)")
                    #expect(late.status == 409 && late.member("code") == "finished")
                }
            }
        }

        @Test("a job for a key's hub goes there without saying so, and the same id again is the same notification")
        func hub() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    try await stage.addKey("shop", rights: .manage, hub: "shop")
                    let shop = api.as(.key("shop", Stage.secret))
                    _ = try await shop.send("PUT", "/api/installations/phone", Stage.phone("ok-1"))
                    let body = #"{"id":"\#(Self.id)","to":{"broadcast":true},"content":{"title":"x"}}"#
                    for _ in 1...2 { #expect(try await shop.send("POST", "/api/jobs", body).status == 202) }
                    try await stage.withWorkers {
                        let isDone = await eventually {
                            try await shop.send("GET", "/api/jobs/\(Self.id)").member("state") == "completed"
                        }
                        #expect(isDone)
                        try await stage.expectQuiet()
                    }
                    let rows = try await stage.database.texts("SELECT hub, accepted::text FROM dashboard.notifications")
                    #expect(rows == [["shop", "1"]])
                }
            }
        }

        @Test("a scheduled job is cancelled once and stays cancelled")
        func cancel() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    _ = try await api.send("PUT", "/api/installations/phone", Stage.phone("ok-1"))
                    #expect(try await api.send("DELETE", "/api/jobs/\(Self.id)").status == 404)
                    let body =
                        #"{"id":"\#(Self.id)","to":{"broadcast":true},"content":{"title":"x"},"options":{"sendAt":"\#(Self.tomorrow)"}}"#
                    let sent = try await api.send("POST", "/api/jobs", body)
                    #expect(sent.status == 202, "\(sent.text)")
                    try await stage.withWorkers { () async throws in
                        let isKnown = await eventually {
                            try await api.send("GET", "/api/jobs/\(Self.id)").member("state") == "scheduled"
                        }
                        #expect(isKnown)
                        for _ in 1...2 { #expect(try await api.send("DELETE", "/api/jobs/\(Self.id)").status == 202) }
                        #expect(try await api.send("GET", "/api/jobs/\(Self.id)").member("state") == "cancelled")
                    }
                }
            }
        }

        @Test("a job that is wrong is refused with the member's place and never published")
        func refusals() async throws {
            try await Stage.with { stage in
                try await stage.withAPI { (api: APIClient) async throws in
                    for (body, status, place) in [
                        ("", 400, "$"), ("[]", 400, "$"), (#"{"to":{"broadcast":true}}"#, 400, "$"),
                        (#"{"to":{"tags":"a &&"},"content":{"title":"x"}}"#, 400, "$.to.tags"),
                        (#"{"to":{"broadcast":true},"content":{"titel":"x"}}"#, 400, "$.content.titel"),
                        (#"{"id":"x","to":{"broadcast":true},"content":{"title":"x"}}"#, 400, "$.id"),
                    ] {
                        let answer = try await api.send("POST", "/api/jobs", body)
                        #expect(answer.status == status && answer.member("path") == place, "\(body): \(answer.text)")
                    }
                    let far =
                        #"{"to":{"broadcast":true},"content":{"title":"x"},"options":{"sendAt":"2099-01-01T00:00:00Z"}}"#
                    let tooFar = try await api.send("POST", "/api/jobs", far)
                    #expect(tooFar.status == 422 && tooFar.member("path") == "$.options.sendAt", "\(tooFar.text)")
                    let text = String(repeating: "x", count: 4_000)
                    let heavy =
                        #"{"to":{"broadcast":true,"platforms":["apns"]},"content":{"title":"\#(text)","data":{"a":"\#(text)"}}}"#
                    let unsendable = try await api.send("POST", "/api/jobs", heavy)
                    #expect(unsendable.status == 422 && unsendable.member("code") == "unsendable", "\(unsendable.text)")
                    let huge = #"{"x":"\#(String(repeating: "x", count: 1_100_000))"}"#
                    let tooLong = try await api.send("POST", "/api/jobs", huge)
                    #expect(tooLong.status == 413 && tooLong.member("code") == "bodyTooLarge")
                    #expect(try await api.send("POST", "/api/jobs", "{}", ["Content-Type": "text/xml"]).status == 415)
                    #expect(try await api.send("GET", "/api/jobs/x").status == 404)
                    for lane in Lane.allCases {
                        #expect(try await Servers.topology().messageCount(lane.jobsQueue) == 0)
                    }
                }
            }
        }

        @Test("without a broker jobs are refused for now, registrations are taken, and readiness says why")
        func broker() async throws {
            try await Stage.with { stage in
                try await stage.withAPI(["DISPATCHER_AMQP_URL": "amqp://guest:guest@127.0.0.1:1/%2f"]) {
                    (api: APIClient) async throws in
                    let body = #"{"to":{"broadcast":true},"content":{"title":"x"}}"#
                    let refused = try await api.send("POST", "/api/jobs", body)
                    #expect(refused.status == 503 && refused["Retry-After"] == "2", "\(refused.text)")
                    #expect(try await api.send("PUT", "/api/installations/p", Stage.phone("ok-1")).status == 201)
                    let ready = try await api.as(.nobody).send("GET", "/ready")
                    #expect(ready.status == 503 && ready.text.contains("broker"))
                    #expect(try await api.as(.nobody).send("GET", "/health").status == 200)
                }
                try await stage.withAPI { (api: APIClient) async throws in
                    let isReady = await eventually { try await api.as(.nobody).send("GET", "/ready").status == 200 }
                    #expect(isReady)
                }
            }
        }
    }
}
