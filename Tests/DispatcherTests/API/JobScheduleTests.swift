import AMQP
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct JobScheduleTests {
        private static func job(_ id: String, title: String = "x", inSeconds seconds: Double? = nil) -> String {
            let time = seconds.map { Date.now.addingTimeInterval($0).formatted(.iso8601) }
            let options = time.map { #","options":{"sendAt":"\#($0)"}"# } ?? ""
            return #"{"id":"\#(id)","to":{"broadcast":true},"content":{"title":"\#(title)"}\#(options)}"#
        }

        private static func id(_ number: Int) -> String { "0193f2c4-7d1e-7abc-8def-01234567890\(number)" }

        /// Runs an API whose broker is there while the body runs.
        private func withReadyAPI(_ stage: Stage, _ body: (APIClient) async throws -> Void) async throws {
            try await stage.withAPI { (api: APIClient) async throws in
                let isReady = await eventually { try await api.send("GET", "/ready").status == 200 }
                try #require(isReady)
                try await body(api)
            }
        }

        /// Waits until a worker has taken the job.
        private func taken(_ id: String, _ api: APIClient) async throws {
            let isTaken = await eventually {
                try await api.send("GET", "/api/jobs/\(id)").member("state") == "scheduled"
            }
            #expect(isTaken)
        }

        @Test("the same id with another body is a conflict before and after a worker has taken the job")
        func conflict() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    let body = Self.job(Self.id(1), inSeconds: 3_600)
                    let other = Self.job(Self.id(1), title: "y", inSeconds: 3_600)
                    #expect(try await api.send("POST", "/api/jobs", body).status == 202)
                    let early = try await api.send("POST", "/api/jobs", other)
                    #expect(early.status == 409 && early.member("code") == "conflictingJob", "\(early.text)")
                    #expect(early.member("path") == "$.id")
                    try await stage.withWorkers { () async throws in
                        try await taken(Self.id(1), api)
                        #expect(try await api.send("POST", "/api/jobs", other).status == 409)
                        let same = try await api.send("POST", "/api/jobs", body)
                        #expect(same.status == 202 && same.member("state") == "scheduled", "\(same.text)")
                    }
                    #expect(try await Servers.topology().messageCount(Lane.bulk.jobsQueue) == 0)
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.dead_letter") == 0)
                }
            }
        }

        @Test("a job that a worker rejects says so, and goes once more when it is sent again")
        func rejected() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    #expect(try await api.send("POST", "/api/jobs", Self.job(Self.id(1))).status == 202)
                    try await stage.database.execute(
                        """
                        INSERT INTO dispatcher.dead_letter (byte_count, queue, hub, message_id, reason, detail, fingerprint, body)
                        VALUES (1, 'push.jobs.bulk', 'default', '\(Self.id(1))', 'refusedByDatabase', 'x', 'x', 'x')
                        """
                    )
                    let state = try await api.send("GET", "/api/jobs/\(Self.id(1))")
                    #expect(state.member("state") == "rejected" && state.member("reason") == "refusedByDatabase")
                    #expect(try await api.send("POST", "/api/jobs", Self.job(Self.id(1))).status == 202)
                    #expect(try await Servers.topology().messageCount(Lane.bulk.jobsQueue) == 2)
                }
            }
        }

        @Test("scheduled jobs are listed page by page in the order of their times, and a cancelled one leaves at once")
        func list() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    for (number, seconds) in [(1, 7_200.0), (2, 3_600), (3, 10_800)] {
                        _ = try await api.send("POST", "/api/jobs", Self.job(Self.id(number), inSeconds: seconds))
                    }
                    try await stage.withWorkers { () async throws in
                        for number in 1...3 { try await taken(Self.id(number), api) }
                    }
                    let first = try await api.send("GET", "/api/jobs?state=scheduled&limit=2")
                    #expect(Self.ids(first) == [Self.id(2), Self.id(1)], "\(first.text)")
                    let next = try #require(first.member("next"))
                    let second = try await api.send("GET", "/api/jobs?state=scheduled&limit=2&after=\(next)")
                    #expect(Self.ids(second) == [Self.id(3)] && second.member("next") == nil, "\(second.text)")
                    #expect(try await api.send("DELETE", "/api/jobs/\(Self.id(1))").status == 202)
                    #expect(try await api.send("GET", "/api/jobs/\(Self.id(1))").member("state") == "cancelled")
                    let left = try await api.send("GET", "/api/jobs?state=scheduled")
                    #expect(Self.ids(left) == [Self.id(2), Self.id(3)])
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.plan") == 2)
                    for query in ["", "?state=sending", "?state=scheduled&limit=0", "?state=scheduled&after=x", "?x=1"]
                    {
                        #expect(try await api.send("GET", "/api/jobs\(query)").status == 400, "\(query)")
                    }
                }
            }
        }

        private static func ids(_ answer: APIClient.Answer) -> [String] {
            let object = try? JSONSerialization.jsonObject(with: answer.body) as? [String: Any]
            return (object?["jobs"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
        }

        @Test("a job that waits is changed as a whole: the new one is sent, once, and the old body is a conflict")
        func change() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    _ = try await api.send("PUT", "/api/installations/phone", Stage.phone("ok-1"))
                    let path = "/api/jobs/\(Self.id(1))"
                    let old = Self.job(Self.id(1), title: "old-title", inSeconds: 3_600)
                    let new = Self.job(Self.id(1), title: "new-title")
                    #expect(try await api.send("PUT", path, new).status == 404)
                    #expect(try await api.send("POST", "/api/jobs", old).status == 202)
                    #expect(try await api.send("PUT", path, new).member("code") == "queued")
                    try await stage.withWorkers { () async throws in
                        try await taken(Self.id(1), api)
                        for (body, status) in [("{}", 400), (Self.job(Self.id(2)), 400), ("[]", 400)] {
                            #expect(try await api.send("PUT", path, body).status == status, "\(body)")
                        }
                        let later = try await api.send("PUT", path, Self.job(Self.id(1), inSeconds: 7_200))
                        #expect(later.status == 202 && later.member("state") == "scheduled", "\(later.text)")
                        #expect(try await api.send("PUT", path, new).status == 202)
                        let isDone = await eventually { try await api.send("GET", path).member("state") == "completed" }
                        #expect(isDone)
                        #expect(try await api.send("POST", "/api/jobs", old).status == 409)
                        #expect(try await api.send("POST", "/api/jobs", new).member("state") == "completed")
                        #expect(try await api.send("PUT", path, new).member("code") == "begun")
                        try await stage.expectQuiet()
                    }
                    let sent = try String(contentsOfFile: stage.witness.path, encoding: .utf8)
                    #expect(try stage.witness.lines().count == 1 && sent.contains("new-title"), "\(sent)")
                }
            }
        }

        @Test("an uploaded content stays with its job when that is changed, and one that the job brought goes with it")
        func changedContent() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    let time = Date.now.addingTimeInterval(3_600).formatted(.iso8601)
                    let head = #""to":{"users":["alice"]},"options":{"sendAt":"\#(time)"}"#
                    let upload = APIClient.Upload(data: Data("uploaded".utf8))
                    #expect(try await api.upload(#"{"id":"\#(Self.id(1))",\#(head)}"#, upload).status == 202)
                    let brought = #"{"content":{"type":"text/plain","data":"eA=="}}"#
                    let job = #"{"id":"\#(Self.id(2))",\#(head),"content":{"rich":\#(brought)}}"#
                    #expect(try await api.send("POST", "/api/jobs", job).status == 202)
                    try await stage.withWorkers { () async throws in
                        for number in 1...2 { try await taken(Self.id(number), api) }
                    }
                    func change(_ number: Int, _ content: String) async throws -> Int {
                        try await api.send("PUT", "/api/jobs/\(Self.id(number))", #"{\#(head),"content":\#(content)}"#)
                            .status
                    }
                    func content(_ number: Int) async throws -> String? {
                        let answer = try await api.send("GET", "/api/notifications/\(Self.id(number))")
                        return answer.status == 200 ? answer.text : nil
                    }
                    #expect(try await content(1) == "uploaded")
                    #expect(try await content(2) == "x")
                    for number in 1...2 { #expect(try await change(number, #"{"rich":{"message":"New"}}"#) == 202) }
                    #expect(try await content(1) == "uploaded")
                    #expect(try await content(2) == nil)
                    #expect(try await change(1, #"{"title":"No content"}"#) == 202)
                    #expect(try await content(1) == nil)
                }
            }
        }

        @Test("whoever claims a plan by what it saw before a change finds nothing, and the next one plans the new body")
        func atomicity() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    _ = try await api.send("POST", "/api/jobs", Self.job(Self.id(1), inSeconds: 3_600))
                    try await stage.withWorkers { () async throws in try await taken(Self.id(1), api) }
                    try await stage.database.execute("UPDATE dispatcher.plan SET due_at = now() - interval '1 second'")
                    let plans = PlanStore(pool: stage.database.pool, worker: 7)
                    // A planner and a change at once, many times: either the one or the other comes first, never half of each.
                    for round in 0..<20 {
                        let title = "title-\(round)"
                        let body = Self.job(Self.id(1), title: title)
                        async let claimed = plans.claimDue()
                        async let changed = api.send("PUT", "/api/jobs/\(Self.id(1))", body)
                        let (row, answer) = try await (claimed, changed)
                        if let row {
                            let text = String(decoding: row.body, as: UTF8.self)
                            #expect(text.contains(title) == (answer.status == 202), "\(answer.text) \(text)")
                            try await stage.database.execute(
                                "UPDATE dispatcher.plan SET worker_id = NULL, due_at = now() - interval '1 second'"
                            )
                        } else {
                            #expect(answer.status == 202, "\(answer.text)")
                        }
                    }
                }
            }
        }

        @Test("what the API remembers of jobs goes when they are notifications, the rest stays")
        func cleaning() async throws {
            try await Stage.with { stage in
                try await withReadyAPI(stage) { (api: APIClient) async throws in
                    _ = try await api.send("POST", "/api/jobs", Self.job(Self.id(1)))
                    try await stage.withWorkers { try await stage.expectQuiet() }
                    _ = try await api.send("POST", "/api/jobs", Self.job(Self.id(2)))
                    try await stage.database.execute(
                        "UPDATE dispatcher.job_intake SET taken_at = taken_at - interval '1 hour'"
                    )
                    #expect(try await JobIntakeStore(pool: stage.database.pool).clean(retentionDays: 7) == false)
                    let left = try await stage.database.texts("SELECT job_id::text FROM dispatcher.job_intake")
                    #expect(left == [[Self.id(2)]])
                }
            }
        }
    }

    @Suite struct WaitingPlacesTests {
        @Test("a hub has so many places and no more, and takes none of another's")
        func places() {
            let places = WaitingPlaces(limit: 2)
            #expect(places.take(1) && places.take(1) && !places.take(1) && places.take(2))
            places.leave(1)
            #expect(places.take(1) && !places.take(1))
        }
    }
}
