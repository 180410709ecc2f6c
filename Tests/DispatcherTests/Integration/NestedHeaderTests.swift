import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What no client would send, before a worker: headers as deep as a frame holds, and what nobody can send on.
    @Suite(.timeLimit(.minutes(6))) struct NestedHeaderTests {
        /// Publishes what no client would: the header's octets are made by hand.
        private static func publish(_ command: String, _ kind: String, depth: Int) async throws {
            let folder = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent().path
            let run = try await Shell.run(
                """
                eval "$BODY" | /usr/bin/python3 '\(folder)/scripts/lib/amqp_raw.py' "$URL" jobs.normal \(kind) \(depth)
                """,
                environment: ["URL": Servers.brokerURL ?? "", "BODY": command]
            )
            #expect(run.status == 0 && run.output.contains("1 published, 0 refused"), "\(run.output)")
        }

        private static func publish(_ job: Job, _ kind: String, depth: Int) async throws {
            try await publish("printf %s '\(String(decoding: job.body, as: UTF8.self))'", kind, depth: depth)
        }

        @Test("what is too long to be sent on is filed all the same, stays one letter, and stops nobody")
        func unsendable() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                // The first grows when it is repaired; the second is more than any client may send.
                try await Self.publish("printf '{'", "id", depth: 255)
                try await Self.publish("head -c 17000000 /dev/zero", "arrays", depth: 1)
                try await Self.publish(#"printf '{"%070000d":1}' 5"#, "arrays", depth: 1)
                let job = Job(to: #"{"installations":["phone"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let sent = try await stage.finished(job, within: .seconds(120))
                    #expect(sent.tally == ["audience": 1, "accepted": 1])
                    let open =
                        "SELECT count(*) FROM dashboard.dead_letters WHERE published_at IS NOT NULL AND state = 'open'"
                    let areFiled = await eventually(within: .seconds(60)) { try await stage.database.count(open) == 3 }
                    let found = try await stage.database.texts("SELECT reason FROM dashboard.dead_letters")
                    #expect(areFiled, "\(found)")
                    for _ in 0..<2 {
                        let run = try await Program.run(["dead-letters", "collect"], environment: stage.environment())
                        #expect(
                            run.output == "kept 3, removed 0, collected 0, restored 0, unrestorable 0\n",
                            "\(run.errors)"
                        )
                    }
                    #expect(try await stage.database.count(open) == 3)
                }
            }
        }

        /// Starts a worker whose threads would have small stacks, if they did not ask for large ones.
        private static func startSmall(_ stage: Stage) throws -> Program {
            var usual = rlimit()
            getrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &usual)
            var small = rlimit(rlim_cur: 1024 * 1024, rlim_max: usual.rlim_max)
            setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &small)
            defer { setrlimit(__rlimit_resource_t(RLIMIT_STACK.rawValue), &usual) }
            return try Program(["worker"], environment: stage.environment())
        }

        @Test("a worker takes them, with a stack limit of 1 MiB too: jobs are sent, the rest is filed")
        func frameLimit() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("phone")])
                let worker = try Self.startSmall(stage)
                var jobs: [Job] = []
                for (kind, depth) in [("tables", 18_000), ("arrays", 26_000)] {
                    let job = Job(to: #"{"installations":["phone"]}"#)
                    try await Self.publish(job, kind, depth: depth)
                    try await Self.publish("printf '{\(kind)'", kind, depth: depth)
                    jobs.append(job)
                }
                for job in jobs { #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1]) }
                let select =
                    "SELECT reason, times_seen::text FROM dashboard.dead_letters WHERE published_at IS NOT NULL"
                let areFiled = await eventually { try await stage.database.texts(select).count == 2 }
                let filed = try await stage.database.texts(select)
                #expect(areFiled && filed.allSatisfy { $0 == ["invalidJSON", "1"] }, "\(filed)")
                #expect(worker.exit == nil, "\(worker.errors)")
                try await Program.stop([worker])
            }
        }
    }
}
