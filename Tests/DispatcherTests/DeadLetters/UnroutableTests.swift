import AMQP
import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    @Suite(.timeLimit(.minutes(4))) struct UnroutableTests {
        /// A job with a device to reach, published with a key that leads nowhere.
        private func mistype(_ stage: Stage, messageID: Bool = false) async throws -> Job {
            var job = Job(to: #"{"tags":"crowd"}"#)
            if messageID { job.messageID = job.id }
            var message = job.message(.normal)
            message.routingKey = "jobs.hihg"
            message.properties.headers = ["x-team": "billing"]
            #expect(await stage.publisher.publish([message], deadline: .seconds(10)) == [.confirmed])
            return job
        }

        private static let kept = """
            reason = 'unroutable' AND queue = 'push.unroutable' AND exchange = 'push.in' AND routing_key = 'jobs.hihg'
            AND published_at IS NOT NULL AND state = 'open'
            """

        @Test("a worker files what was published with a mistyped key; a replay needs the right one")
        func mistyped() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(1)
                try await stage.withWorkers {
                    let job = try await mistype(stage)
                    let isFiled = await eventually { try await stage.count(Self.kept) == 1 }
                    #expect(isFiled)
                    let left = try await Servers.topology().messageCount("push.unroutable")
                    #expect(left == 0)
                    try await stage.expectAgreement(1)
                    let number = try await stage.letter(job)
                    let refused = try await stage.deadLetters(["replay", number])
                    #expect(refused.exit == .status(1) && refused.errors.contains("jobs.hihg, which leads nowhere"))
                    try await stage.expectAgreement(1)
                    let wrong = try await stage.deadLetters(["replay", number, "--key", "batches.high"])
                    #expect(wrong.exit == .status(64))
                    let run = try await stage.deadLetters(["replay", number, "--key", "jobs.normal"])
                    #expect(run.exit == .status(0) && run.output.hasPrefix("replayed 1,"), "\(run.errors)")
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 1, "accepted": 1])
                    try await stage.expectAgreement(0)
                }
            }
        }

        @Test("without a worker the doctor says how many wait, and collect files them")
        func collected() async throws {
            try await Stage.with { stage in
                for id in [true, false] { _ = try await mistype(stage, messageID: id) }
                let doctor = try await Program.run(["doctor"], environment: stage.environment())
                #expect(doctor.output.contains("WRONG unroutable"), "\(doctor.output)")
                #expect(doctor.output.contains("2 messages that no queue took"), "\(doctor.output)")
                #expect(doctor.output.contains("queue push.unroutable"), "\(doctor.output)")
                let run = try await stage.deadLetters(["collect"])
                #expect(run.output == "kept 0, removed 0, collected 2, restored 0, unrestorable 0\n", "\(run.errors)")
                #expect(try await stage.count(Self.kept) == 2)
                try await stage.expectAgreement(2)
                let again = try await stage.deadLetters(["collect"])
                #expect(
                    again.output == "kept 2, removed 0, collected 0, restored 0, unrestorable 0\n",
                    "\(again.errors)"
                )
                try await stage.expectAgreement(2)
            }
        }

        @Test(
            "a worker that dies after the letter's row files it once all the same",
            arguments: ["written", "published"]
        )
        func killed(_ step: String) async throws {
            try await Stage.with { stage in
                let arm = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString).path
                #expect(FileManager.default.createFile(atPath: arm, contents: nil))
                let point = step == "written" ? CrashPoint.letterWritten : .letterPublished
                let changes = ["DISPATCHER_FAULT_CRASH_AT": point.rawValue, "DISPATCHER_FAULT_CRASH_ARM": arm]
                let worker = try Program(["worker"], environment: stage.environment(changes))
                _ = try await mistype(stage)
                #expect(await worker.exit(within: .seconds(60)) == .signal(SIGKILL), "\(worker.errors)")
                // What the dead one has claimed is free after that time.
                try await stage.database.execute("UPDATE dispatcher.dead_letter SET claimed_until = now()")
                try await stage.withWorkers {
                    let isFiled = await eventually { try await stage.count(Self.kept) == 1 }
                    #expect(isFiled)
                    let isTaken = await eventually {
                        try await Servers.topology().messageCount("push.unroutable") == 0
                    }
                    #expect(isTaken)
                }
                let run = try await stage.deadLetters(["collect"])
                #expect(run.exit == .status(0), "\(run.errors)")
                try await stage.expectAgreement(1)
            }
        }
    }
}
