import AMQP
import DispatchCore
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Two services with logins of their own, and a hub that takes messages of one of them.
    @Suite(.timeLimit(.minutes(4))) struct PublisherTests {
        /// Publishes as one of the two services that the test broker knows.
        private static func publish(
            _ messages: [AMQPMessage],
            as service: String,
            onEvent: @escaping @Sendable (AMQPEvent) -> Void = { _ in }
        ) async throws -> [PublishResult] {
            let url = (Servers.brokerURL ?? "").replacingOccurrences(
                of: "guest:guest@",
                with: "\(service)-service:\(service)@"
            )
            let publisher = AMQPPublisher(
                endpoint: try AMQPEndpoint(url: url),
                connectionName: "DispatcherTests \(service)",
                onEvent: onEvent
            )
            publisher.start()
            let results = await publisher.publish(messages, deadline: .seconds(20))
            await publisher.stop()
            return results
        }

        private static func message(_ key: String, _ body: String, user: String?) -> AMQPMessage {
            let properties = AMQPProperties(contentType: "application/json", userID: user)
            return AMQPMessage(exchange: "push.in", routingKey: key, body: Array(body.utf8), properties: properties)
        }

        private static func message(_ job: Job, user: String?) -> AMQPMessage {
            message("jobs.normal", String(decoding: job.body, as: UTF8.self), user: user)
        }

        private static func run(_ arguments: [String], _ stage: Stage) async throws -> (
            exit: Program.Exit?, output: String, errors: String
        ) {
            try await Program.run(["publishers"] + arguments, environment: stage.environment())
        }

        private static func job() -> Job { Job(to: #"{"installations":["phone"]}"#) }

        @Test("the broker itself refuses a user-id that is not the login")
        func forged() async throws {
            try await Stage.with { stage in
                let codes = Journal<Int>()
                let job = Self.job()
                let results = try await Self.publish([Self.message(job, user: "shop-service")], as: "news") {
                    if case .channelClosed(let code, _) = $0 { codes.add(code) }
                }
                #expect(results.first != .confirmed)
                #expect(codes.all.first == 406)
                #expect(try await Servers.topology().messageCount("push.jobs.normal") == 0)
                let honest = try await Self.publish([Self.message(job, user: "news-service")], as: "news")
                #expect(honest == [.confirmed])
            }
        }

        @Test("a hub with publishers takes their jobs, registrations and receipts, and files all others")
        func everyKind() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                let added = try await Self.run(["add", "shop-service", "--hub", "default"], stage)
                #expect(added.exit == .status(0), "\(added.errors)")
                let (own, unnamed, foreign, other) = (Self.job(), Self.job(), Self.job(), Self.job())
                try await stage.database.execute("INSERT INTO dispatcher.hub (name) VALUES ('news')")
                let elsewhere = Job(
                    raw: Array(#"{"id":"\#(other.id)","hub":"news","to":{"tags":"a"},"content":{"title":"x"}}"#.utf8)
                )
                let device = Device("tablet").json
                let stranger = Device("stranger").json
                try await stage.withWorkers {
                    let shop = [
                        Self.message(own, user: "shop-service"), Self.message(unnamed, user: nil),
                        Self.message("installations", device, user: "shop-service"),
                    ]
                    let news = [
                        Self.message(foreign, user: "news-service"), Self.message(elsewhere, user: nil),
                        Self.message("installations", stranger, user: "news-service"),
                    ]
                    #expect(try await Self.publish(shop, as: "shop").allSatisfy { $0 == .confirmed })
                    #expect(try await Self.publish(news, as: "news").allSatisfy { $0 == .confirmed })
                    #expect(try await stage.finished(own).tally == ["audience": 1, "accepted": 1])
                    #expect(try await stage.finished(other).tally == [:], "a hub without publishers takes everybody's")
                    try await report(own, stage)
                    try await expectRefused(
                        ["push.installations", "push.jobs.normal", "push.jobs.normal", "push.receipts"],
                        stage
                    )
                }
                let tablets = "SELECT count(*) FROM dashboard.installations WHERE installation_id = "
                #expect(try await stage.database.count(tablets + "'tablet'") == 1)
                #expect(try await stage.database.count(tablets + "'stranger'") == 0)
                for job in [unnamed, foreign] { #expect(try await stage.status(job) == nil) }
            }
        }

        /// One receipt of the hub's publisher, one of another's.
        private func report(_ job: Job, _ stage: Stage) async throws {
            let body = { (id: String) in ReceiptBody("displayed", of: job, on: "phone", id: id).json }
            _ = try await Self.publish([Self.message("receipts", body("r-1"), user: "news-service")], as: "news")
            _ = try await Self.publish([Self.message("receipts", body("r-2"), user: "shop-service")], as: "shop")
            let isTaken = await eventually {
                try await stage.database.count("SELECT count(*) FROM dashboard.receipts WHERE id = 'r-2'") == 1
            }
            #expect(isTaken)
            #expect(try await stage.database.count("SELECT count(*) FROM dashboard.receipts") == 1)
        }

        private func expectRefused(_ queues: [String], _ stage: Stage) async throws {
            // Until a letter lies in push.dead too it is in the hands of who files it, and is not replayed.
            let select =
                "SELECT queue, reason, hub FROM dashboard.dead_letters WHERE published_at IS NOT NULL ORDER BY 1"
            let areThere = await eventually { try await stage.database.texts(select).count == queues.count }
            let rows = try await stage.database.texts(select)
            #expect(areThere && rows == queues.map { [$0, "forbiddenPublisher", "default"] }, "\(rows)")
        }

        @Test("who is named for one hub publishes for no other, not for one that names nobody either")
        func bound() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                try await stage.database.execute("INSERT INTO dispatcher.hub (name) VALUES ('shop')")
                let added = try await Self.run(["add", "shop-service", "--hub", "shop"], stage)
                #expect(added.output.contains("shop-service publishes for shop and for no other hub"))
                #expect(added.output.contains("'dispatcher serve'"))
                let (foreign, unnamed, free) = (Self.job(), Self.job(), Self.job())
                try await stage.withWorkers {
                    let device = Self.message("installations", Device("stranger").json, user: "shop-service")
                    let shop = [Self.message(foreign, user: "shop-service"), device, Self.message(unnamed, user: nil)]
                    #expect(try await Self.publish(shop, as: "shop").allSatisfy { $0 == .confirmed })
                    _ = try await Self.publish([Self.message(free, user: "news-service")], as: "news")
                    for job in [unnamed, free] {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    try await expectRefused(["push.installations", "push.jobs.normal"], stage)
                }
                let details = "SELECT DISTINCT detail FROM dispatcher.dead_letter"
                #expect(try await stage.database.texts(details).allSatisfy { $0[0].contains("named for other hubs") })
                #expect(try await stage.status(foreign) == nil)
            }
        }

        @Test("a replay is its first publisher's: refused again until that one may publish")
        func replay() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                _ = try await Self.run(["add", "shop-service", "--hub", "default"], stage)
                let (foreign, unnamed) = (Self.job(), Self.job())
                try await stage.withWorkers {
                    let messages = [Self.message(foreign, user: "news-service"), Self.message(unnamed, user: nil)]
                    _ = try await Self.publish(messages, as: "news")
                    try await expectRefused(["push.jobs.normal", "push.jobs.normal"], stage)
                    let first = try await Program.run(
                        ["dead-letters", "replay", "--all"],
                        environment: stage.environment()
                    )
                    #expect(first.exit == .status(0), "\(first.errors)")
                    let isBack = await eventually {
                        try await stage.database.count(
                            "SELECT count(*) FROM dashboard.dead_letters WHERE state = 'open' AND replays = 1"
                        ) == 2
                    }
                    #expect(isBack)
                    _ = try await Self.run(["add", "news-service", "--hub", "default"], stage)
                    let isTaken = await eventually(within: .seconds(40)) {
                        _ = try await Program.run(
                            ["dead-letters", "replay", "--all", "--again"],
                            environment: stage.environment()
                        )
                        return try await stage.status(foreign)?.isFinished == true
                    }
                    #expect(isTaken)
                    #expect(try await stage.status(unnamed) == nil)
                }
            }
        }

        @Test("the API's jobs, those of the outbox and the command's come through all the same")
        func ownMessages() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                _ = try await Self.run(["add", "shop-service", "--hub", "default"], stage)
                let (told, queued) = (Self.job(), Self.job())
                try await stage.withWorkers {
                    try await stage.withAPI { client in
                        let answer = try await client.send(
                            "POST",
                            "/api/jobs",
                            String(decoding: told.body, as: UTF8.self)
                        )
                        #expect(answer.status == 202, "\(answer.text)")
                    }
                    let hex = queued.body.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
                    try await stage.database.execute(
                        """
                        INSERT INTO dispatcher.outbox (notification_id, job_id, hub_id, lane, body)
                        SELECT 1, '\(queued.id)', id, 1, '\\x\(hex)' FROM dispatcher.hub WHERE name = 'default'
                        """
                    )
                    let run = try await Program.run(
                        ["enqueue", "--to", "installation:phone", "--title", "Hello"],
                        environment: stage.environment()
                    )
                    #expect(run.exit == .status(0), "\(run.errors)")
                    for job in [told, queued, Job(raw: [], messageID: run.output.trimmingCharacters(in: .newlines))] {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
            }
        }

        @Test("publishers are listed, added and removed; no hub is opened without being told to")
        func commands() async throws {
            try await Stage.with { stage in
                try await stage.database.execute("INSERT INTO dispatcher.hub (name) VALUES ('news')")
                _ = try await Self.run(["add", "a", "--hub", "default", "--hub", "news"], stage)
                _ = try await Self.run(["add", "b", "--hub", "news"], stage)
                #expect(try await Self.run(["list"], stage).output == "a\tdefault,news\nb\tnews\n")
                #expect(
                    try await Self.run(["list", "--json"], stage).output.hasPrefix(
                        #"{"user":"a","hubs":["default","news"]}"#
                    )
                )
                let unknown = try await Self.run(["add", "c", "--hub", "news", "--hub", "none"], stage)
                #expect(unknown.exit == .status(1) && unknown.errors.contains("there is no hub none"))
                let last = try await Self.run(["remove", "a"], stage)
                #expect(last.exit == .status(1) && last.errors.contains("--open"), "\(last.errors)")
                #expect(try await Self.run(["remove", "a", "--hub", "news"], stage).exit == .status(0))
                #expect(try await Self.run(["remove", "a", "--open"], stage).exit == .status(0))
                #expect(try await Self.run(["list"], stage).output == "b\tnews\n")
                #expect(try await Self.run(["remove", "a", "--open"], stage).exit == .status(1))
                #expect(try await Self.run(["add", "a"], stage).exit == .status(64))
            }
        }
    }
}
