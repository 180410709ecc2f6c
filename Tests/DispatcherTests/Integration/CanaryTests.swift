import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Words that stand for what must stay secret, sent in by every way; then everything that is told is searched.
    @Suite(.timeLimit(.minutes(4))) struct CanaryTests {
        /// Every canary has this in it.
        private static let mark = "canary"

        private static let documents = [
            #"{"installationId":"i-1","userId":"u-1","platform":"apns","pushChannel":"ok-canary-channel-1","tags":["t"]}"#,
            #"{"installationId":"i-2","userId":"u-1","platform":"apns","pushChannel":"dead-canary-channel-2"}"#,
            #"{"installationId":"i-3","platform":"fcmV1","pushChannel":"retry2-canary-channel-3"}"#,
            #"{"installationId":"i-4","platform":"apns","pushChannel":"canary-channel-4","hub":"nowhere"}"#,
            #"{"installationId":"i-5","platform":"pager","pushChannel":"canary-channel-5"}"#,
            #"{"installationId":"i-6","platform":"apns","pushChannel":{"canary-channel-6":1}}"#,
            #"{"installationId":"i-7","platform":"apns","pushChannel":"ok-7","templates":{"x":{"body":"{canary-template"}}}"#,
        ]

        private static func jobs() -> [Job] {
            let content = #"{"title":"canary-title","body":"canary-body","data":{"key":"canary-data"}}"#
            let wrong = [
                #"{"title":"canary-title","body":5,"data":{"key":"canary-data"}}"#,
                #"{"title":"canary-title","sound":{"x":[1,2,"canary-sound"]}}"#,
                #"{"title":"canary-title\u0000\ud800 canary","body":"canary-body"}"#,
            ]
            return [
                Job(to: #"{"users":["u-1"]}"#, content: content), Job(to: #"{"broadcast":true}"#, content: content),
                Job(to: #"{"channels":[{"platform":"apns","token":"ok-canary-direct"}]}"#, content: content),
                Job(to: #"{"tags":"t"}"#, content: #"{"apns":{"aps":{"alert":"canary-native"}}}"#, kind: "native"),
            ] + wrong.map { Job(to: #"{"users":["u-1"]}"#, content: $0) }
                + [#"{"canary-body":"#, #"["canary-body"]"#, "canary-body", #""canary"#].map {
                    Job(raw: Array($0.utf8))
                }
        }

        private static func publish(_ key: String, _ bodies: [String], _ stage: Stage) async throws {
            let properties = AMQPProperties(
                contentType: "application/json",
                correlationID: "canary-correlation",
                headers: ["authorization": .string("Bearer canary-header")]
            )
            let messages = bodies.map {
                AMQPMessage(exchange: "push.in", routingKey: key, body: Array($0.utf8), properties: properties)
            }
            let results = await stage.publisher.publish(messages, deadline: .seconds(30))
            #expect(results.allSatisfy { $0 == .confirmed })
        }

        /// Programs whose passwords are canaries, one of them with servers that refuse it.
        private static func start(_ stage: Stage) throws -> (worker: Program, serve: Program, lost: Program) {
            let own = [
                "DISPATCHER_LOG_LEVEL": "debug", "DISPATCHER_METRICS_ADDRESS": "127.0.0.1:0",
                "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0", "DISPATCHER_EVENTS": "all",
                "DISPATCHER_DATABASE_URL": stage.database.url.replacing(#/\/\/([^:@\/]*)@/#) {
                    "//\($0.1):canary-database-password@"
                },
            ]
            let wrong = [
                "DISPATCHER_AMQP_URL": (Servers.brokerURL ?? "").replacingOccurrences(
                    of: "guest:guest@",
                    with: "guest:canary-broker-password@"
                )
            ]
            return (
                try Program(["worker"], environment: stage.environment(own)),
                try Program(["serve"], environment: stage.environment(own)),
                try Program(["worker"], environment: stage.environment(own.merging(wrong) { $1 }))
            )
        }

        @Test("no log, metric or view has a push channel, a payload, a password or a secret")
        func canaries() async throws {
            try await Stage.with { stage in
                let (worker, serve, lost) = try Self.start(stage)
                let clients = [try await MetricsClient(of: worker), try await MetricsClient(of: serve)]
                try await Self.publish("installations", Self.documents, stage)
                let areThere = await eventually {
                    try await stage.database.count("SELECT count(*) FROM dashboard.installations") >= 3
                }
                #expect(areThere)
                let jobs = Self.jobs()
                try await stage.publish(jobs)
                try await Self.publish("receipts", Self.receipts(jobs[0]), stage)
                try await ask(serve, stage)
                _ = try await stage.finished(jobs[0])
                _ = try await stage.finished(jobs[1])
                let areFiled = await eventually {
                    try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") >= 12
                }
                #expect(areFiled)
                let isRefused = await eventually { lost.errors.contains("event=broker") }
                #expect(isRefused)
                for client in clients { expectNone(try await client.ask("/metrics").text, "metrics") }
                try await expectNoneInViews(stage)
                try await Program.stop([worker, serve, lost])
                for program in [worker, serve, lost] {
                    #expect(program.errors.utf8.count > 500)
                    expectNone(program.errors + program.output, "log")
                }
            }
        }

        private static func receipts(_ job: Job) -> [String] {
            let reply = ReceiptBody("reply", of: job, on: "i-1", more: #","actionId":"a","text":"canary-reply""#).json
            return [
                reply, #"{"text":"canary-reply"}"#, #"{"canary-reply"#,
                ReceiptBody("reply", of: job, on: "i-9", more: #","actionId":"a","text":"canary-reply""#).json,
            ]
        }

        /// Requests with secrets that are right, wrong and broken.
        private func ask(_ serve: Program, _ stage: Stage) async throws {
            let isUp = await eventually { serve.errors.contains("serve.started port=") }
            try #require(isUp)
            let port = try #require(serve.errors.firstMatch(of: /serve.started port=(\d+)/).flatMap { UInt16($0.1) })
            let secret = "canary-secret-canary-secret-canary-secret-44"
            try await stage.addKey("known", rights: .manage, secret: secret)
            let known = APIClient(port: port, identity: .key("known", secret))
            let phone = Stage.phone("ok-canary-phone", #""userId":"u-2""#)
            #expect(try await known.send("PUT", "/api/installations/p-1", phone).status == 201)
            #expect(try await known.send("PUT", "/api/installations/p-2", #"{"canary":"#).status == 400)
            #expect(
                try await known.send("POST", "/api/jobs", #"{"to":{"users":["u-2"]},"content":{"title":"canary"}}"#)
                    .status == 202
            )
            #expect(
                try await known.send("POST", "/api/jobs", #"{"to":"canary","content":{"title":"canary"}}"#).status
                    >= 400
            )
            for identity in [
                APIClient.Identity.key("known", "canary-wrong-secret"), .bearer("canary-bearer"),
                .device("p-1", "canary-device-secret"), .field("SharedAccessSignature canary&sig=canary"),
            ] {
                let answer = try await known.as(identity).send("GET", "/api/jobs?continuation=canary&signature=canary")
                #expect(answer.status >= 400)
            }
        }

        private func expectNone(_ text: String, _ place: String) {
            for line in text.split(separator: "\n") where line.lowercased().contains(Self.mark) {
                Issue.record("\(place): \(line)")
            }
        }

        private func expectNoneInViews(_ stage: Stage) async throws {
            let views = try await stage.database.texts(
                "SELECT table_name FROM information_schema.views WHERE table_schema = 'dashboard' ORDER BY 1"
            )
            #expect(views.count >= 13)
            for view in views.map({ $0[0] }) {
                let rows = try await stage.database.texts("SELECT v::text FROM dashboard.\(view) v")
                expectNone(rows.map { $0[0] }.joined(separator: "\n"), "dashboard.\(view)")
            }
        }
    }
}
