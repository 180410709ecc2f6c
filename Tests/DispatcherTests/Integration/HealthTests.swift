import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What a worker and the API tell about themselves while their servers go away and come back.
    @Suite(.timeLimit(.minutes(4))) struct HealthTests {
        private static let address = ["DISPATCHER_METRICS_ADDRESS": "127.0.0.1:0", "DISPATCHER_LOG_LEVEL": "info"]

        private static func start(_ words: [String], _ stage: Stage, _ changes: [String: String] = [:]) throws
            -> Program
        {
            try Program(words, environment: stage.environment(address.merging(changes) { $1 }))
        }

        private static func brokerURL(through proxy: Proxy) throws -> String {
            let port = try #require(Servers.port(of: Servers.brokerURL))
            return (Servers.brokerURL ?? "").replacingOccurrences(of: ":\(port)/", with: ":\(proxy.port)/")
        }

        @Test("a worker is ready, not ready while broker or database is away, and ready again")
        func outages() async throws {
            let broker = try Proxy(to: try #require(Servers.port(of: Servers.brokerURL)))
            let database = try Proxy(to: try #require(Servers.port(of: Servers.databaseURL)))
            defer { for proxy in [broker, database] { proxy.stop() } }
            try await Stage.with { stage in
                database.goAway()
                let changes = [
                    "DISPATCHER_AMQP_URL": try Self.brokerURL(through: broker),
                    "DISPATCHER_DATABASE_URL": try Servers.url(database: stage.database.name, port: database.port),
                ]
                let worker = try Self.start(["worker"], stage, changes)
                let client = try await MetricsClient(of: worker)
                #expect(try await client.isReady(503, because: "starting"))
                #expect(try await client.ask("/health/live").status == 200)
                try await comeBack(database)
                try await expect(client, 200)
                broker.goAway()
                try await expect(client, 503, because: "push.jobs.high is not consumed", "broker")
                #expect(try await client.ask("/health/live").status == 200)
                #expect(try await client.value(#"dispatcher_consuming{queue="push.jobs.high"}"#) == 0)
                try await comeBack(broker)
                try await expect(client, 200)
                database.goAway()
                try await expect(client, 503, because: "the database does not answer")
                #expect(try await client.value("dispatcher_database_up") == 0)
                #expect(try await client.ask("/health/live").status == 200)
                try await comeBack(database)
                try await expect(client, 200)
                #expect(try await client.value(#"dispatcher_broker_losses_total{connection="publisher"}"#) ?? 0 > 0)
                #expect(try await client.value("dispatcher_database_losses_total") ?? 0 > 0)
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(30)) == .status(0), "\(worker.errors)")
            }
        }

        /// Something else may have the port for a moment: a try to connect, for example.
        private func comeBack(_ proxy: Proxy) async throws {
            let isBack = await eventually {
                try proxy.comeBack()
                return true
            }
            try #require(isBack)
        }

        private func expect(_ client: MetricsClient, _ status: Int, because words: String...) async throws {
            let isSo = await eventually(within: .seconds(40)) {
                let answer = try await client.ask("/health/ready")
                return answer.status == status && words.allSatisfy { answer.text.contains($0) }
            }
            if !isSo { Issue.record("\(status) \(words): \(try await client.ask("/health/ready").text)") }
        }

        @Test("a worker counts what it does, under names of the catalogue only")
        func counts() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well"), Device("dead", channel: "dead-1")])
                try await stage.registerCrowd(100)
                let worker = try Self.start(["worker"], stage)
                let client = try await MetricsClient(of: worker)
                let job = Job(to: #"{"installations":["well","dead"]}"#)
                let broadcast = Job(to: #"{"tags":"crowd"}"#)
                try await stage.publish([job, Job(raw: Array("{".utf8))])
                try await stage.publish([broadcast], lane: .bulk)
                for sent in [job, broadcast] { _ = try await stage.finished(sent) }
                let isCounted = await eventually {
                    try await client.value(
                        #"dispatcher_dead_letters_total{queue="push.jobs.normal",reason="invalidJSON"}"#
                    ) == 1
                }
                #expect(isCounted)
                try await expectValues(client)
                try await expectCatalogue(client, MetricFamily.ofProcesses + MetricFamily.ofWorkers)
                #expect(try await client.ask("/metrics", "POST").status == 405)
                #expect(try await client.ask("/other").status == 404)
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(30)) == .status(0), "\(worker.errors)")
            }
        }

        private func expectValues(_ client: MetricsClient) async throws {
            let expected = [
                #"dispatcher_jobs_total{lane="normal"}"#: 1.0, #"dispatcher_jobs_total{lane="bulk"}"#: 1,
                #"dispatcher_jobs_total{lane="high"}"#: 0, "dispatcher_devices_retired_total": 1,
                #"dispatcher_deliveries_total{platform="apns",state="failed"}"#: 1,
                #"dispatcher_deliveries_total{platform="apns",state="accepted"}"#: 51,
                #"dispatcher_deliveries_total{platform="fcmV1",state="accepted"}"#: 50,
                #"dispatcher_attempts_total{platform="apns",retry="false"}"#: 52,
                #"dispatcher_attempts_total{platform="apns",retry="true"}"#: 0,
                #"dispatcher_messages_total{queue="push.batches.bulk"}"#: 1, "dispatcher_database_up": 1,
                #"dispatcher_broker_connected{connection="push.receipts"}"#: 1,
                #"dispatcher_in_flight_deliveries{budget="shared"}"#: 0,
            ]
            for (series, value) in expected {
                let found = await eventually { try await client.value(series) == value }
                if !found { Issue.record("\(series): \(String(describing: try await client.value(series)))") }
            }
            #expect(try await client.value("dispatcher_lease_age_seconds") ?? 100 < 15)
            #expect(try await client.value("process_resident_memory_bytes") ?? 0 > 1_000_000)
        }

        private func expectCatalogue(_ client: MetricsClient, _ families: [MetricFamily]) async throws {
            let page = try await client.ask("/metrics")
            #expect(page["Content-Type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            let told = page.text.split(separator: "\n").filter { $0.hasPrefix("# TYPE ") }
            let expected = families.map { "# TYPE \($0.name) \($0.kind.rawValue)" }
            #expect(told.map(String.init).sorted() == expected.sorted())
        }

        @Test("hands that end by themselves end the worker, after what it has begun")
        func lostHands() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("slow")])
                let changes = ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:300ms"]
                let configuration = try Configuration(Environment(stage.environment(changes)))
                // Its only complaint is the one that is wanted here.
                let log = Log(minimum: .error)
                let parts = try await WorkerParts.assemble(configuration, log: log)
                let (stream, continuation) = AsyncStream<Void>.makeStream()
                let job = Job(to: #"{"installations":["slow"]}"#)
                async let end = Worker(parts: parts, log: log).run(until: { for await _ in stream {} })
                let isTaking = await eventually { parts.intakes.allSatisfy { $0.connection.phase == .ready } }
                #expect(isTaking)
                try await stage.publish([job])
                let isTaken = await eventually { try await stage.status(job) != nil }
                #expect(isTaken)
                await parts.intakes[0].close()
                #expect(await end == .lostHands("push.jobs.high"))
                continuation.finish()
                #expect(try await stage.status(job)?.tally == ["audience": 1, "accepted": 1])
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.workers") == 0)
            }
        }

        @Test("the API says at once that the database is frozen, and still has its metrics")
        func frozen() async throws {
            let database = try Proxy(to: try #require(Servers.port(of: Servers.databaseURL)))
            defer { database.stop() }
            try await Stage.with { stage in
                let changes = [
                    "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0",
                    "DISPATCHER_DATABASE_URL": try Servers.url(database: stage.database.name, port: database.port),
                ]
                let program = try Self.start(["serve"], stage, changes)
                let client = try await MetricsClient(of: program)
                try await expect(client, 200)
                #expect(try await client.value("dispatcher_database_up") == 1)
                let port = program.errors.firstMatch(of: /serve.started port=(\d+)/).flatMap { UInt16($0.1) }
                let api = APIClient(port: try #require(port))
                database.freeze()
                try await expect(client, 503, because: "the database does not answer")
                // A call through the pool of requests would have waited for 15 s, each time.
                let start = ContinuousClock.now
                for _ in 0..<3 {
                    #expect(try await client.value("dispatcher_database_up") == 0)
                    #expect(try await client.isReady(503, because: "the database does not answer"))
                    #expect(try await api.send("GET", "/ready").status == 503)
                }
                #expect(ContinuousClock.now - start < .seconds(12))
                database.thaw()
                try await expect(client, 200)
                #expect(try await api.send("GET", "/ready").status == 200)
                program.signal(SIGTERM)
                #expect(await program.exit(within: .seconds(30)) == .status(0), "\(program.errors)")
            }
        }

        @Test("the API counts its requests by route, and tells its readiness there too")
        func serve() async throws {
            try await Stage.with { stage in
                let program = try Self.start(["serve"], stage, ["DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0"])
                let client = try await MetricsClient(of: program)
                try await expect(client, 200)
                let isUp = await eventually { program.errors.contains("serve.started") }
                let port = program.errors.firstMatch(of: /serve.started port=(\d+)/).flatMap { UInt16($0.1) }
                let api = APIClient(port: try #require(port))
                #expect(isUp)
                #expect(try await api.send("GET", "/api/users/alice/installations?top=secret-word").status == 404)
                #expect(try await api.send("GET", "/api/jobs/secret-word").status == 401)
                let series = #"dispatcher_http_requests_total{route="-",status="404"}"#
                #expect(try await client.value(series) == 1)
                try await expectCatalogue(client, MetricFamily.ofProcesses + MetricFamily.ofServe)
                #expect(try await !client.ask("/metrics").text.contains("secret-word"))
                program.signal(SIGTERM)
                #expect(await program.exit(within: .seconds(30)) == .status(0), "\(program.errors)")
            }
        }
    }
}
