import AMQP
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What devices report by messages.
    @Suite(.timeLimit(.minutes(4))) struct ReceiptTests {
        private func publish(_ receipts: [ReceiptBody], _ stage: Stage) async throws {
            try await stage.publish(receipts.map(\.json), to: .receipts)
        }

        /// What `dashboard.notifications` says that devices have reported.
        private func counts(_ job: Job, _ stage: Stage) async throws -> [String] {
            try await stage.database.texts(
                """
                SELECT fetched::text, displayed::text, read::text, dismissed::text, acted::text, replied::text
                FROM dashboard.notifications WHERE id::text = $1
                """,
                [.text(job.id)]
            ).first ?? []
        }

        private func expect(_ expected: [Int], of job: Job, within limit: Duration = .seconds(20), _ stage: Stage)
            async throws
        {
            let isSo = await eventually(within: limit) { try await counts(job, stage) == expected.map(String.init) }
            let found = try await counts(job, stage)
            #expect(isSo, "found \(found)")
        }

        @Test("every kind of receipt, in any order, shows in the views; by the job's id and by the hub's number")
        func endToEnd() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", user: "alice", tags: ["a"]), Device("tablet", tags: ["a"])])
                let job = Job(to: #"{"tags":"a"}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                    let number = try await stage.database.count("SELECT max(number) FROM dashboard.notifications")
                    var late = ReceiptBody("displayed", of: job, on: "phone")
                    late.at = "2999-01-01T00:00:00Z"
                    try await publish(
                        [
                            ReceiptBody(
                                "reply",
                                of: job,
                                on: "phone",
                                more: #","actionId":"comment","text":"See you","response":"dismiss""#
                            ),
                            ReceiptBody("read", notification: "\(number)", on: "phone"), late,
                            ReceiptBody("fetched", notification: "\"\(number)\"", on: "phone"),
                            ReceiptBody("action", of: job, on: "phone", more: #","actionId":"accept""#),
                            ReceiptBody("dismissed", of: job, on: "tablet"),
                        ],
                        stage
                    )
                    try await expect([1, 1, 1, 1, 1, 1], of: job, stage)
                    try await expectViews(job, stage)
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 2])
                }
                #expect(try await DeadLetters.take(0).isEmpty)
            }
        }

        private func expectViews(_ job: Job, _ stage: Stage) async throws {
            let deliveries = try await stage.database.texts(
                """
                SELECT d.installation_id, d.action, d.response,
                       num_nonnulls(d.displayed_at, d.read_at, d.fetched_at, d.action_at, d.replied_at, d.dismissed_at)::text,
                       (d.displayed_at BETWEEN n.created_at AND now())::text, (d.read_at = n.created_at)::text
                FROM dashboard.deliveries d JOIN dashboard.notifications n ON n.id = d.notification_id
                ORDER BY 1
                """
            )
            // A device's clock that is ahead ends now, one that is behind begins with the notification.
            #expect(
                deliveries == [["phone", "comment", "dismiss", "5", "true", "true"], ["tablet", "", "", "1", "", ""]]
            )
            let receipts = try await stage.database.texts(
                "SELECT id, user_id, kind, action, response FROM dashboard.receipts WHERE installation_id = 'phone' ORDER BY 1"
            )
            #expect(
                receipts == [
                    ["action-phone", "alice", "action", "accept", ""],
                    ["displayed-phone", "alice", "displayed", "", ""],
                    ["fetched-phone", "alice", "fetched", "", ""], ["read-phone", "alice", "read", "", ""],
                    ["reply-phone", "alice", "reply", "comment", "dismiss"],
                ]
            )
        }

        @Test("a receipt reported again is nothing new, in one wave and across waves; a second fact changes nothing")
        func repeated() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone", tags: ["a"])])
                let job = Job(to: #"{"tags":"a"}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                    let read = ReceiptBody("read", of: job, on: "phone")
                    try await publish([read, read], stage)
                    try await expect([0, 0, 1, 0, 0, 0], of: job, stage)
                    let first = try await stage.database.texts("SELECT read_at::text FROM dashboard.deliveries")
                    try await publish(
                        [
                            read, ReceiptBody("read", of: job, on: "phone", id: "second"),
                            ReceiptBody("displayed", of: job, on: "phone"),
                        ],
                        stage
                    )
                    try await expect([0, 1, 1, 0, 0, 0], of: job, stage)
                    #expect(try await stage.database.texts("SELECT read_at::text FROM dashboard.deliveries") == first)
                    #expect(try await stage.database.count("SELECT count(*) FROM dashboard.receipts") == 3)
                }
            }
        }

        @Test("a receipt that comes before its delivery is recorded is kept; a neighbour's is refused")
        func early() async throws {
            try await Stage.with { stage in
                let other = Device("other", tags: ["b"])
                try await stage.register([Device("phone", tags: ["a"]), other, Device("none")])
                let jobs = [Job(to: #"{"tags":"a"}"#), Job(to: #"{"tags":"b"}"#)]
                try await stage.publish(jobs)
                try await stage.withWorkers(1, ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:3s"]) {
                    let isBegun = await eventually {
                        try await stage.database.count("SELECT count(*) FROM dispatcher.batch WHERE epoch > 0") > 0
                    }
                    #expect(isBegun)
                    try await publish(
                        [
                            ReceiptBody("read", of: jobs[0], on: "phone"),
                            ReceiptBody("read", of: jobs[0], on: "other"),
                            ReceiptBody("read", of: jobs[0], on: "none"),
                        ],
                        stage
                    )
                    try await expect([0, 0, 1, 0, 0, 0], of: jobs[0], within: .seconds(2), stage)
                    #expect(try await stage.deliveries(jobs[0]).isEmpty, "the receipt was not early")
                    #expect(try await stage.finished(jobs[0]).tally == ["audience": 1, "accepted": 1])
                    let read = "SELECT count(*) FROM dashboard.deliveries WHERE read_at IS NOT NULL"
                    #expect(try await stage.database.count(read) == 1)
                    #expect(try await counts(jobs[1], stage) == ["0", "0", "0", "0", "0", "0"])
                }
                let dead = try await DeadLetters.take(2)
                #expect(dead.count == 2)
                #expect(dead.allSatisfy { $0.header("reason")?.stringValue == "notAddressed" })
            }
        }

        @Test("receipts about what does not exist or was not sent there are filed with their reasons")
        func wrong() async throws {
            try await Stage.with { stage in
                try await stage.database.execute("INSERT INTO dispatcher.hub (name) VALUES ('other')")
                try await stage.register([Device("phone", tags: ["a"]), Device("bystander")])
                let job = Job(to: #"{"tags":"a"}"#)
                let foreign = ReceiptBody("read", of: job, on: "phone", more: #","hub":"other""#)
                let nowhere = ReceiptBody("read", of: job, on: "phone", more: #","hub":"nowhere""#)
                let bad: [(receipt: ReceiptBody, reason: String, path: String)] = [
                    (
                        ReceiptBody("read", notification: "12345", on: "phone"), "unknownNotification",
                        "$.notificationId"
                    ),
                    (ReceiptBody("read", of: Job(to: "{}"), on: "phone"), "unknownNotification", "$.notificationId"),
                    (foreign, "unknownNotification", "$.notificationId"), (nowhere, "unknownHub", "$.hub"),
                    (ReceiptBody("read", of: job, on: "stranger"), "unknownInstallation", "$.installationId"),
                    (ReceiptBody("read", of: job, on: "bystander"), "notAddressed", "$.installationId"),
                    (ReceiptBody("reply", of: job, on: "phone"), "missingMember", "$.actionId"),
                    (ReceiptBody("seen", of: job, on: "phone"), "outOfRange", "$.kind"),
                ]
                try await stage.withWorkers {
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                    try await publish(bad.map(\.receipt) + [ReceiptBody("displayed", of: job, on: "phone")], stage)
                    try await expect([0, 1, 0, 0, 0, 0], of: job, stage)
                }
                try await stage.expectEmpty(.receipts)
                let dead = try await DeadLetters.take(bad.count)
                #expect(dead.count == bad.count)
                for input in bad {
                    let message = dead.first { $0.body == Array(input.receipt.json.utf8) }
                    #expect(message?.header("reason")?.stringValue == input.reason, "\(input.receipt.json)")
                    #expect(message?.header("path")?.stringValue == input.path, "\(input.receipt.json)")
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.receipts") == 1)
            }
        }

        @Test("several workers that hear of the same devices at once count each device once")
        func together() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(100)
                let job = Job(to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers(3) {
                    try await stage.publish([job], lane: .bulk)
                    _ = try await stage.finished(job)
                    let receipts = (0..<40).flatMap { round in
                        (1...100).map { ReceiptBody("read", of: job, on: "crowd-\($0)", id: "r\(round)") }
                    }
                    try await publish(receipts.shuffled(), stage)
                    try await stage.expect(4_000, "SELECT count(*) FROM dashboard.receipts")
                    try await expect([0, 0, 100, 0, 0, 0], of: job, stage)
                }
                try await stage.expectEmpty(.receipts)
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.reading") == 100)
            }
        }

        @Test("workers killed among receipts lose none and count none twice")
        func kills() async throws {
            try await Stage.with { stage in
                let count = 1_000
                try await stage.registerCrowd(count)
                let job = Job(to: #"{"tags":"crowd"}"#)
                var workers = try (0..<2).map { _ in try Program(["worker"], environment: stage.environment()) }
                try await stage.publish([job], lane: .bulk)
                _ = try await stage.finished(job)
                let all = (1...count).flatMap { number in
                    ["displayed", "read", "dismissed"].map { ReceiptBody($0, of: job, on: "crowd-\(number)") }
                }.shuffled()
                for start in stride(from: 0, to: all.count, by: 500) {
                    // Some of them twice, as an app that has no answer reports them.
                    try await publish(Array(all[start..<(start + 500)] + all[..<100]), stage)
                    // A worker that is killed before it has done anything would make the queue's first message suspect.
                    try await stage.expect(atLeast: start + 100, "SELECT count(*) FROM dashboard.receipts")
                    workers[0].signal(SIGKILL)
                    _ = await workers[0].exit(within: .seconds(10))
                    workers.removeFirst()
                    workers.append(try Program(["worker"], environment: stage.environment()))
                }
                try await expect([0, count, count, count, 0, 0], of: job, within: .seconds(60), stage)
                try await stage.expect(3 * count, "SELECT count(*) FROM dashboard.receipts")
                try await Program.stop(workers)
                try await expect([0, count, count, count, 0, 0], of: job, stage)
                let dead = try await stage.database.texts("SELECT reason, detail FROM dashboard.dead_letters")
                #expect(dead == [])
                #expect(try await DeadLetters.take(0).isEmpty)
            }
        }

        @Test("PostgreSQL away: receipts wait, none is refused, all count")
        func databaseAway() async throws {
            let proxy = try Proxy(to: try #require(Servers.port(of: Servers.databaseURL)))
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.registerCrowd(200)
                let job = Job(to: #"{"tags":"crowd"}"#)
                let url = try Servers.url(database: stage.database.name, port: proxy.port)
                try await stage.withWorkers(1, ["DISPATCHER_DATABASE_URL": url]) {
                    try await stage.publish([job], lane: .bulk)
                    _ = try await stage.finished(job)
                    try await publish((1...100).map { ReceiptBody("read", of: job, on: "crowd-\($0)") }, stage)
                    proxy.goAway()
                    try await publish((101...200).map { ReceiptBody("read", of: job, on: "crowd-\($0)") }, stage)
                    try await Task.sleep(for: .seconds(2))
                    try proxy.comeBack()
                    try await expect([0, 0, 200, 0, 0, 0], of: job, stage)
                }
                try await stage.expectEmpty(.receipts)
                #expect(try await DeadLetters.take(0).isEmpty)
            }
        }
    }
}
