import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Jobs that crash workers when they are sent, long after their messages were acknowledged.
    @Suite(.timeLimit(.minutes(4))) struct CrashingPushTests {
        /// A trace takes longer than the crash, a minute on a machine that is busy.
        private static let marked = ["DISPATCHER_FAULT_CRASH_ON_PUSH": "CRASH-MARKER", "SWIFT_BACKTRACE": "enable=no"]

        /// Starts a worker again each time it crashes, until the condition holds; answers how often it did.
        ///
        /// The lease of one that has crashed ends at once, so that nobody waits for it.
        private static func supervise(
            _ stage: Stage,
            _ changes: [String: String],
            until condition: () async throws -> Bool
        ) async throws -> (crashes: Int, worker: Program) {
            var worker = try Program(["worker"], environment: stage.environment(changes))
            var crashes = 0
            let hasCome = await eventually(within: .seconds(120)) {
                if worker.exit == .signal(SIGABRT) || worker.exit == .signal(SIGILL) {
                    crashes += 1
                    try await stage.database.execute(
                        "UPDATE dispatcher.worker SET lease_until = now() WHERE process = \(worker.pid)"
                    )
                    worker = try Program(["worker"], environment: stage.environment(changes))
                }
                return try await condition()
            }
            #expect(hasCome)
            return (crashes, worker)
        }

        private static func stop(_ worker: Program) async throws {
            worker.signal(SIGTERM)
            #expect(await worker.exit(within: .seconds(30)) == .status(0), "\(worker.errors)")
        }

        @Test("a job that crashes whoever sends it ends as failed; the innocents beside it are all delivered")
        func poison() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well"), Device("one", user: "u"), Device("two", user: "u")])
                let innocents = (0..<20).map { _ in Job(to: #"{"installations":["well"]}"#) }
                let poison = Job(to: #"{"users":["u"]}"#, content: #"{"title":"CRASH-MARKER"}"#)
                try await stage.publish(Array(innocents.prefix(10)) + [poison] + innocents.suffix(10))
                let changes = Self.marked.merging(["DISPATCHER_EVENTS": "failed"]) { $1 }
                let (crashes, worker) = try await Self.supervise(stage, changes) {
                    guard try await stage.status(poison)?.isFinished == true else { return false }
                    return try await stage.database.count("SELECT count(*) FROM dispatcher.batch") == 0
                }
                // Two with others, one with the devices of its piece, two with each of its own devices.
                #expect((4...8).contains(crashes), "\(crashes) crashes")
                #expect(try await stage.finished(poison).tally == ["audience": 2, "failed": 2])
                for job in innocents { #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1]) }
                let rows = try await stage.deliveries(poison)
                #expect(rows.map(\.reason) == ["CrashesWorkers", "CrashesWorkers"])
                #expect(rows.allSatisfy { $0.isAmbiguous })
                try await stage.expectQuiet()
                let shown = """
                    SELECT state, isolated::text FROM dashboard.suspects WHERE notification_id = '\(poison.id)'
                    """
                let isSettled = await eventually {
                    try await stage.database.texts(shown) == [["quarantined", "2"]]
                }
                #expect(isSettled)
                try await Self.stop(worker)
                let sent = try stage.witness.lines()
                #expect(Set(sent.map(\.notificationId)).count == 20)
                #expect(!sent.contains { $0.notificationId == poison.id })
            }
        }

        @Test("one device of a large audience that crashes workers is found; all others get it")
        func oneDevice() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(500)
                let job = Job(to: #"{"tags":"crowd"}"#, content: #"{"title":"CRASH-MARKER"}"#)
                try await stage.publish([job], lane: .bulk)
                let changes = Self.marked.merging(["DISPATCHER_FAULT_CRASH_ON_DEVICE": "crowd-77"]) { $1 }
                let (crashes, worker) = try await Self.supervise(stage, changes) {
                    try await stage.status(job)?.isFinished == true
                }
                #expect((5...8).contains(crashes), "\(crashes) crashes")
                #expect(try await stage.finished(job).tally == ["audience": 500, "accepted": 499, "failed": 1])
                let failed = try await stage.deliveries(job).filter { $0.state == "failed" }
                #expect(failed.map(\.installation) == ["crowd-77"] && failed.map(\.reason) == ["CrashesWorkers"])
                try await stage.expectQuiet()
                try await Self.stop(worker)
                let ambiguous = Set(try await stage.deliveries(job).filter(\.isAmbiguous).map(\.installation))
                let twice = try stage.witness.counts(of: job.id).filter { $0.value > 1 }.keys
                #expect(Set(twice).isSubset(of: ambiguous))
            }
        }
    }
}
