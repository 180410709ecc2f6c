import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Workers as processes of their own: killed, stopped, and made to crash.
    @Suite(.timeLimit(.minutes(4))) struct ProcessTests {
        private static func start(_ stage: Stage, _ changes: [String: String] = [:]) throws -> Program {
            try Program(["worker"], environment: stage.environment(changes))
        }

        @Test("workers killed five times during a broadcast: every row exact, doubles only where ambiguous")
        func kills() async throws {
            try await Stage.with { stage in
                let count = 20_000
                try await stage.registerCrowd(count)
                let job = Job(to: #"{"broadcast":true}"#)
                let changes = ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:100ms"]
                var workers = [try Self.start(stage, changes), try Self.start(stage, changes)]
                try await stage.publish([job], lane: .bulk)
                for kill in 0..<5 {
                    let goal = count * (kill + 1) / 12
                    let hasMoved = await eventually(within: .seconds(60)) {
                        try await stage.status(job)?.finished ?? 0 >= goal
                    }
                    #expect(hasMoved)
                    workers[kill % 2].signal(SIGKILL)
                    #expect(await workers[kill % 2].exit(within: .seconds(10)) == .signal(SIGKILL))
                    workers[kill % 2] = try Self.start(stage, changes)
                }
                #expect(
                    try await stage.finished(job, within: .seconds(90)).tally == ["audience": count, "accepted": count]
                )
                try await Self.stop(workers)
                try await expectExact(job, count: count, kills: 5, stage)
            }
        }

        /// Every device has one accepted row; the witness saw all, and twice only those that are flagged.
        private func expectExact(_ job: Job, count: Int, kills: Int, _ stage: Stage) async throws {
            let rows = try await stage.deliveries(job)
            #expect(rows.count == count && Set(rows.map(\.installation)).count == count)
            #expect(rows.allSatisfy { $0.state == "accepted" })
            let sent = try stage.witness.counts(of: job.id)
            #expect(sent.count == count)
            let ambiguous = Set(rows.filter(\.isAmbiguous).map(\.installation))
            let twice = Set(sent.filter { $0.value > 1 }.keys)
            #expect(twice.isSubset(of: ambiguous))
            // At most what one worker has in flight at once is ambiguous for each kill.
            #expect(ambiguous.count <= kills * 1_000)
        }

        private static func stop(_ workers: [Program]) async throws {
            for worker in workers { worker.signal(SIGTERM) }
            for worker in workers { #expect(await worker.exit(within: .seconds(30)) == .status(0), "\(worker.errors)") }
        }

        @Test("SIGTERM under load finishes what is begun and exits 0; the next worker does the rest")
        func drain() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(5_000)
                let changes = ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:100ms"]
                let broadcast = Job(to: #"{"broadcast":true}"#)
                let jobs = (0..<500).map { Job(to: #"{"installations":["crowd-\#(1 + $0)"]}"#) }
                let first = try Self.start(stage, changes)
                try await stage.publish([broadcast], lane: .bulk)
                try await stage.publish(jobs)
                let isUnderWay = await eventually { try await stage.status(broadcast)?.finished ?? 0 > 500 }
                #expect(isUnderWay)
                try await Self.stop([first])
                #expect(try await stage.status(broadcast)?.isFinished == false, "the drain came too late to be seen")
                let second = try Self.start(stage, changes)
                let tally = try await stage.finished(broadcast, within: .seconds(60)).tally
                #expect(tally == ["audience": 5_000, "accepted": 5_000])
                for job in jobs { #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1]) }
                try await Self.stop([second])
                #expect(
                    try await stage.database.count("SELECT count(*) FROM dispatcher.delivery WHERE is_ambiguous") == 0
                )
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.delivery") == 5_500)
                #expect(try stage.witness.lines().count == 5_500)
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.workers") == 0)
            }
        }

        @Test("a second SIGTERM leaves at once with status 1, and what was begun is released")
        func secondSignal() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("mute", channel: "hang-1"), Device("well")])
                let job = Job(to: #"{"installations":["mute","well"]}"#)
                let worker = try Self.start(stage, ["DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "60"])
                try await stage.publish([job])
                let isRecorded = await eventually { try await stage.deliveries(job).count == 1 }
                #expect(isRecorded)
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(2)) == nil, "a silent gateway does not end the drain")
                worker.signal(SIGTERM)
                #expect(await worker.exit(within: .seconds(5)) == .status(1))
                let open = try await stage.database.texts(
                    "SELECT state, ambiguous::text, deliveries::text FROM dashboard.batches"
                )
                #expect(open == [["unpublished", "true", "1"]])
                #expect(try await stage.database.count("SELECT count(*) FROM dashboard.workers") == 0)
            }
        }

        @Test("a message that crashes workers is found out; the innocents beside it are all delivered")
        func poison() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well")])
                let innocents = (0..<20).map { _ in Job(to: #"{"installations":["well"]}"#) }
                let poison = Job(to: #"{"installations":["well"]}"#, content: #"{"title":"CRASH-MARKER"}"#)
                try await stage.publish(Array(innocents.prefix(10)) + [poison] + innocents.suffix(10))
                // A trace takes longer than the crash, a minute on a machine that is busy.
                let changes = ["DISPATCHER_FAULT_CRASH_ON": "CRASH-MARKER", "SWIFT_BACKTRACE": "enable=no"]
                var worker = try Self.start(stage, changes)
                var crashes = 0
                let isFiled = await eventually(within: .seconds(60)) {
                    if worker.exit == .signal(SIGABRT) || worker.exit == .signal(SIGILL) {
                        crashes += 1
                        worker = try Self.start(stage, changes)
                    }
                    return try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") > 0
                }
                #expect(isFiled)
                #expect((3...8).contains(crashes))
                for job in innocents { #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1]) }
                try await stage.expectQuiet()
                try await Self.stop([worker])
                let dead = try await DeadLetters.take(1)
                #expect(dead.map(\.body) == [poison.body])
                #expect(dead.first?.header("reason")?.stringValue == "crashesWorkers")
                // An innocent whose worker died just after the acknowledgement may stay suspected until it is forgotten.
                let guilty = "SELECT count(*) FROM dispatcher.suspect JOIN dispatcher.dead_letter USING (fingerprint)"
                #expect(try await stage.database.count(guilty) == 0)
                #expect(try stage.witness.lines().count == 20)
            }
        }
    }
}
