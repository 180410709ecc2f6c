import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct DeadLetterReplayTests {
        @Test("what failed for a missing hub is delivered after a replay, once, however often it is replayed")
        func mended() async throws {
            try await Stage.with { stage in
                let (job, other) = (Stage.homeless(), Stage.homeless("never"))
                try await stage.refuse([other, job])
                try await stage.addHub()
                let dry = try await stage.deadLetters(["replay", "--all", "--hub", "later", "--dry-run"])
                #expect(dry.output == "would be replayed 1, skipped 0\n")
                try await stage.expectAgreement(2)
                let number = try await stage.letter(job)
                let run = try await stage.deadLetters(["replay", number, "--json"])
                #expect(run.exit == .status(0), "\(run.errors)")
                #expect(
                    run.output == #"{"replayed":1,"skipped":0,"failed":0,"removed":1,"collected":0,"kept":1}"# + "\n"
                )
                try await stage.expectAgreement(1)
                try await stage.withWorkers {
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 1, "accepted": 1])
                    let refused = try await stage.deadLetters(["replay", number])
                    #expect(refused.exit == .status(1) && refused.errors.contains("\(number) is replayed already"))
                    let again = try await stage.deadLetters(["replay", number, "--again"])
                    #expect(again.exit == .status(0) && again.output.hasPrefix("replayed 1,"), "\(again.errors)")
                    try await stage.expectQuiet()
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.notification") == 1)
                #expect(try await stage.deliveries(job).count == 1)
                #expect(try await stage.count("replays = 2 AND replayed_at IS NOT NULL AND state = 'replayed'") == 1)
                try await stage.expectAgreement(1)
            }
        }

        @Test("what is refused again after a replay is open again, and once in the queue")
        func refusedAgain() async throws {
            try await Stage.with { stage in
                let job = Stage.homeless()
                try await stage.refuse([job])
                let number = try await stage.letter(job)
                try await stage.withWorkers {
                    let run = try await stage.deadLetters(["replay", number])
                    #expect(run.exit == .status(0), "\(run.errors)")
                    let isBack = await eventually { try await stage.count("times_seen = 2 AND state = 'open'") == 1 }
                    #expect(isBack)
                    let isFiled = await eventually { try await stage.count("published_at IS NOT NULL") == 1 }
                    #expect(isFiled)
                }
                let settled = try await stage.deadLetters(["collect"])
                #expect(settled.exit == .status(0), "\(settled.errors)")
                try await stage.expectAgreement(1)
                let next = try await stage.deadLetters(["replay", "--all"])
                #expect(next.output.hasPrefix("replayed 0, skipped 1,") && next.errors.contains("--again"))
            }
        }

        @Test("two replays at once publish each letter once")
        func twice() async throws {
            try await Stage.with { stage in
                let jobs = (0..<120).map { _ in Stage.homeless() }
                try await stage.refuse(jobs)
                try await stage.addHub()
                async let one = stage.deadLetters(["replay", "--all", "--json"])
                async let two = stage.deadLetters(["replay", "--all", "--json"])
                let runs = try await [one, two]
                for run in runs { #expect(run.exit == .status(0), "\(run.errors)") }
                #expect(try await Servers.topology().messageCount("push.jobs.normal") == jobs.count)
                #expect(try await stage.count("replays = 1 AND state = 'replayed'") == jobs.count)
                try await stage.expectAgreement(0)
                try await stage.withWorkers {
                    for job in jobs { _ = try await stage.finished(job) }
                }
                #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.delivery") == jobs.count)
            }
        }

        @Test("a replay that dies between publish and mark is done again, and is one notification")
        func crash() async throws {
            try await Stage.with { stage in
                let job = Stage.homeless()
                try await stage.refuse([job])
                try await stage.addHub()
                let number = try await stage.letter(job)
                let fault = ["DISPATCHER_FAULT_CRASH_ON": "dead-letters.replay.confirmed"]
                let died = try await stage.deadLetters(["replay", number], fault)
                #expect(died.exit == .signal(SIGABRT))
                try await stage.expectAgreement(1)
                #expect(try await Servers.topology().messageCount("push.jobs.normal") == 1)
                let held = try await stage.deadLetters(["replay", number])
                #expect(held.exit == .status(1) && held.errors.contains("in the hands of another"), "\(held.errors)")
                try await stage.database.execute("UPDATE dispatcher.dead_letter SET claimed_until = now()")
                let run = try await stage.deadLetters(["replay", number])
                #expect(run.exit == .status(0), "\(run.errors)")
                #expect(try await Servers.topology().messageCount("push.jobs.normal") == 2)
                try await stage.withWorkers {
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 1, "accepted": 1])
                    try await stage.expectQuiet()
                }
                #expect(try await stage.deliveries(job).count == 1)
                try await stage.expectAgreement(0)
            }
        }

        @Test("with the broker away nothing is marked, and the letters can be replayed afterwards")
        func brokerAway() async throws {
            try await Stage.with { stage in
                try await stage.refuse([Stage.homeless()])
                let away = ["DISPATCHER_AMQP_URL": "amqp://guest:guest@127.0.0.1:1/%2f"]
                let run = try await stage.deadLetters(["replay", "--all"], away)
                #expect(run.exit == .status(1), "\(run.output)")
                #expect(run.output.hasPrefix("replayed 0, skipped 0, failed 1"))
                try await stage.expectAgreement(1)
                let next = try await stage.deadLetters(["replay", "--all"])
                #expect(next.exit == .status(0) && next.output.hasPrefix("replayed 1,"), "\(next.errors)")
                try await stage.expectAgreement(0)
            }
        }
    }
}
