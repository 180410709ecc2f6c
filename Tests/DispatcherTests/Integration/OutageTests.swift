import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Servers that go away and come back, seen through a proxy so that only the workers of this suite lose them.
    @Suite(.timeLimit(.minutes(4))) struct OutageTests {
        private static func database(_ stage: Stage, through proxy: Proxy) throws -> [String: String] {
            ["DISPATCHER_DATABASE_URL": try Servers.url(database: stage.database.name, port: proxy.port)]
        }

        private static func proxy(before url: String?) throws -> Proxy {
            try Proxy(to: try #require(Servers.port(of: url)))
        }

        /// By text: URLComponents would decode the virtual host's slash.
        private static func broker(through proxy: Proxy) throws -> [String: String] {
            let port = try #require(Servers.port(of: Servers.brokerURL))
            let url = (Servers.brokerURL ?? "").replacingOccurrences(of: ":\(port)/", with: ":\(proxy.port)/")
            return ["DISPATCHER_AMQP_URL": url]
        }

        @Test("PostgreSQL away: nothing is dead-lettered, nothing comes round, all of it is sent afterwards")
        func databaseAway() async throws {
            let proxy = try Self.proxy(before: Servers.databaseURL)
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.registerCrowd(300)
                let jobs = (0..<200).map { Job(to: #"{"installations":["crowd-\#(1 + $0 % 300)"]}"#) }
                let broadcast = Job(to: #"{"broadcast":true}"#)
                try await stage.withWorkers(1, Self.database(stage, through: proxy)) {
                    try await stage.publish(Array(jobs.prefix(50)))
                    _ = try await stage.finished(jobs[0])
                    proxy.goAway()
                    try await stage.publish(Array(jobs.dropFirst(50)))
                    try await stage.publish([broadcast], lane: .bulk)
                    // Long enough for several tries of the backoff; consuming must have stopped by then.
                    try await Task.sleep(for: .seconds(4))
                    try proxy.comeBack()
                    for job in jobs {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    #expect(try await stage.finished(broadcast).tally == ["audience": 300, "accepted": 300])
                    try await stage.expectQuiet()
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.suspect") == 0)
                #expect(try await DeadLetters.take(0).isEmpty)
                try await expectExactRows(500, stage)
            }
        }

        /// Every delivery has one row, accepted once; only ambiguous ones may have gone out twice.
        private func expectExactRows(_ count: Int, _ stage: Stage) async throws {
            let rows = try await stage.database.texts(
                "SELECT notification_id::text, installation_id, state, ambiguous::text FROM dashboard.deliveries"
            )
            #expect(rows.count == count)
            #expect(rows.allSatisfy { $0[2] == "accepted" })
            let sent = try stage.witness.lines().reduce(into: [String: Int]()) {
                $0[$1.notificationId + $1.installationId, default: 0] += 1
            }
            #expect(sent.count == count)
            let twice = rows.filter { sent[$0[0] + $0[1], default: 0] != 1 }
            #expect(twice.allSatisfy { $0[3] == "true" })
        }

        @Test("a database that says nothing does not hold up a worker that is told twice to stop")
        func databaseSilent() async throws {
            let proxy = try Self.proxy(before: Servers.databaseURL)
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.register([Device("well")])
                let environment = stage.environment(try Self.database(stage, through: proxy))
                let worker = try Program(["worker"], environment: environment)
                let job = Job(to: #"{"installations":["well"]}"#)
                try await stage.publish([job])
                _ = try await stage.finished(job)
                proxy.freeze()
                worker.signal(SIGTERM)
                try await Task.sleep(for: .seconds(1))
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(25)) == .status(1))
            }
        }

        @Test("connections to PostgreSQL cut again and again under load lose and double nothing")
        func databaseCuts() async throws {
            let proxy = try Self.proxy(before: Servers.databaseURL)
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.registerCrowd(2_000)
                try await stage.register([Device("mute", channel: "retry2-1", tags: ["crowd"])])
                let jobs = (0..<600).map { Job(to: #"{"installations":["crowd-\#(1 + $0)"]}"#) }
                let broadcasts = (0..<3).map { _ in Job(to: #"{"tags":"crowd"}"#) }
                let cutter = Task {
                    while !Task.isCancelled {
                        try? await Task.sleep(for: .milliseconds(Int.random(in: 20...150)))
                        proxy.cut()
                    }
                }
                let changes = try Self.database(stage, through: proxy)
                try await stage.withWorkers(
                    1,
                    changes.merging(["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:5ms"]) { $1 }
                ) {
                    for start in stride(from: 0, to: jobs.count, by: 60) {
                        try await stage.publish(Array(jobs[start..<(start + 60)]))
                        if start % 180 == 0 { try await stage.publish([broadcasts[start / 180 % 3]], lane: .bulk) }
                        try await Task.sleep(for: .milliseconds(200))
                    }
                    cutter.cancel()
                    await cutter.value
                    for job in broadcasts {
                        #expect(try await stage.finished(job).tally == ["audience": 2_001, "accepted": 2_001])
                    }
                    for job in jobs {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    try await stage.expectQuiet()
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
                try await expectExactRows(600 + 3 * 2_001, stage)
            }
        }

        @Test("backends terminated by the administrator are replaced, and all is sent")
        func terminated() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(300)
                let jobs = (0..<300).map { Job(to: #"{"installations":["crowd-\#(1 + $0)"]}"#) }
                try await stage.withWorkers {
                    for start in stride(from: 0, to: 300, by: 100) {
                        try await stage.publish(Array(jobs[start..<(start + 100)]))
                        try await Servers.execute(
                            """
                            SELECT pg_terminate_backend(pid) FROM pg_stat_activity
                            WHERE datname = '\(stage.database.name)' AND application_name = 'dispatcher'
                            """
                        )
                    }
                    for job in jobs {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                }
                try await expectExactRows(300, stage)
            }
        }

        @Test("connections to RabbitMQ cut again and again under load lose and double nothing")
        func brokerCuts() async throws {
            let proxy = try Self.proxy(before: Servers.brokerURL)
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.registerCrowd(2_000)
                let jobs = (0..<400).map { Job(to: #"{"installations":["crowd-\#(1 + $0)"]}"#) }
                let broadcast = Job(to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers(1, Self.broker(through: proxy)) {
                    try await stage.publish([broadcast], lane: .bulk)
                    for start in stride(from: 0, to: 400, by: 100) {
                        try await stage.publish(Array(jobs[start..<(start + 100)]))
                        proxy.cut()
                        let isBack = await eventually { try await stage.status(jobs[start + 99])?.isFinished == true }
                        #expect(isBack)
                    }
                    proxy.goAway()
                    try await Task.sleep(for: .seconds(1))
                    try proxy.comeBack()
                    #expect(try await stage.finished(broadcast, within: .seconds(60)).tally["accepted"] == 2_000)
                    for job in jobs {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                    }
                    try await stage.expectQuiet()
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 0)
                #expect(
                    try await stage.database.count("SELECT count(*) FROM dispatcher.delivery WHERE is_ambiguous") == 0
                )
                try await expectExactRows(2_400, stage)
            }
        }

        @Test("a worker that starts while PostgreSQL is away waits for it")
        func startWithoutDatabase() async throws {
            let proxy = try Self.proxy(before: Servers.databaseURL)
            defer { proxy.stop() }
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                let job = Job(to: #"{"installations":["phone"]}"#)
                let changes = try Self.database(stage, through: proxy)
                proxy.goAway()
                let back = Task {
                    try await Task.sleep(for: .seconds(1))
                    try proxy.comeBack()
                }
                try await stage.withWorkers(1, changes) {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                }
                try await back.value
            }
        }
    }
}
