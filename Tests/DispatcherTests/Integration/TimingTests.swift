import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Jobs that are too late, too early, or called back.
    @Suite(.timeLimit(.minutes(4))) struct TimingTests {
        /// The time so many seconds from now, as a job's option writes it.
        private static func time(in seconds: Int) -> String { (DatabaseClock().now + .seconds(seconds)).rfc3339 }

        @Test("an expired job has its rows and is never sent, small or large")
        func expired() async throws {
            try await Stage.with { stage in
                let options = #"{"expiresAt":"2020-01-01T00:00:00Z"}"#
                try await stage.registerCrowd(100)
                let small = Job(to: #"{"installations":["crowd-1","crowd-2"]}"#, options: options)
                let large = Job(to: #"{"tags":"crowd"}"#, options: options)
                try await stage.withWorkers {
                    try await stage.publish([small, large])
                    #expect(try await stage.finished(small).tally == ["audience": 2, "expired": 2])
                    #expect(try await stage.finished(large).tally == ["audience": 100, "expired": 100])
                }
                let rows = try await stage.deliveries(small)
                #expect(rows.allSatisfy { $0.attempts == 0 && $0.reason == "Expired" && $0.state == "expired" })
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("a stored job that this version cannot read ends with its reason, planned or due for a retry")
        func unreadable() async throws {
            try await Stage.with { stage in
                try await stage.register([
                    Device("waits", channel: "after6-waits"), Device("well", channel: "ok-well"),
                ])
                let planned = Job(to: #"{"broadcast":true}"#, options: #"{"sendAt":"\#(Self.time(in: 6))"}"#)
                let retried = Job(to: #"{"installations":["waits"]}"#)
                let sound = Job(to: #"{"installations":["well"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([planned, retried])
                    let isScheduled = await eventually { try await stage.status(planned)?.state == "scheduled" }
                    let isRetrying = await eventually { try await stage.status(retried)?.tally["retrying"] == 1 }
                    #expect(isScheduled && isRetrying)
                    try await stage.database.execute(
                        "UPDATE dispatcher.notification SET body = replace(convert_from(body, 'UTF8'), 'title', 'titel')::bytea"
                    )
                    try await stage.publish([sound])
                    #expect(try await stage.finished(sound).tally == ["audience": 1, "accepted": 1])
                    #expect(try await stage.finished(retried).tally == ["audience": 1, "failed": 1])
                    #expect(try await stage.finished(planned).state == "cancelled")
                }
                #expect(try await stage.deliveries(retried).map(\.reason) == ["UnreadableJob"])
                let letters = try await stage.database.texts("SELECT reason, path FROM dashboard.dead_letters")
                #expect(letters == [["unreadableJob", "$.content.titel"]])
            }
        }

        @Test("a job to be sent now or never is sent, and the gateway told to keep nothing")
        func nowOrNever() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(1)
                let job = Job(to: #"{"installations":["crowd-1"]}"#, options: #"{"ttlSeconds":0}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 1, "accepted": 1])
                }
            }
        }

        @Test("a retry that would come after the expiry ends as expired instead")
        func expiresWhileRetrying() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("slow", channel: "after3-1")])
                let job = Job(to: #"{"installations":["slow"]}"#, options: #"{"ttlSeconds":2}"#)
                try await stage.withWorkers {
                    try await stage.publish([job])
                    #expect(try await stage.finished(job).tally == ["audience": 1, "expired": 1])
                }
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("a job for later waits for its time and is resolved then")
        func sendAt() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("one", tags: ["later"])])
                let time = Self.time(in: 3)
                let job = Job(to: #"{"tags":"later"}"#, options: #"{"sendAt":"\#(time)"}"#)
                try await stage.withWorkers(2) {
                    try await stage.publish([job])
                    let isScheduled = await eventually { try await stage.status(job)?.state == "scheduled" }
                    #expect(isScheduled)
                    // Registered after the job was accepted, before it is sent: it counts.
                    try await stage.register([Device("two", tags: ["later"])])
                    #expect(try await stage.finished(job).tally == ["audience": 2, "accepted": 2])
                }
                let early = try await stage.database.count(
                    "SELECT count(*) FROM dashboard.deliveries WHERE accepted_at < '\(time)'"
                )
                #expect(early == 0)
                #expect(try stage.witness.counts(of: job.id) == ["one": 1, "two": 1])
            }
        }

        @Test("a job that is cancelled before its time is never sent")
        func cancelled() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("one", tags: ["later"])])
                let job = Job(to: #"{"tags":"later"}"#, options: #"{"sendAt":"\#(Self.time(in: 2))"}"#)
                let store = StatusStore(pool: stage.database.pool)
                let id = try #require(UUIDValue(job.id))
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let isScheduled = await eventually { try await stage.status(job)?.state == "scheduled" }
                    #expect(isScheduled)
                    #expect(try await store.cancel(id))
                    #expect(try await !store.cancel(id))
                    #expect(try await stage.database.count("SELECT count(*) FROM dispatcher.plan") == 0)
                    #expect(try await stage.status(job)?.state == "cancelled")
                    try await stage.expectQuiet()
                }
                #expect(try await stage.deliveries(job).isEmpty)
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("cancelling while a delivery waits for its retry ends it as cancelled")
        func cancelledWhileRetrying() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("slow", channel: "after3-1")])
                let job = Job(to: #"{"installations":["slow"]}"#)
                let id = try #require(UUIDValue(job.id))
                try await stage.withWorkers {
                    try await stage.publish([job])
                    let isWaiting = await eventually { try await stage.deliveries(job).first?.state == "retrying" }
                    #expect(isWaiting)
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(id))
                    let isEnded = await eventually { try await stage.deliveries(job).first?.state == "cancelled" }
                    #expect(isEnded)
                }
                #expect(try await stage.deliveries(job).first?.attempts == 1)
                #expect(try stage.witness.lines().isEmpty)
            }
        }

        @Test("a notification never ends before it began, although two clocks tell")
        func order() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("one")])
                let job = Job(to: #"{"installations":["one"]}"#)
                let number = try await stage.sent(job, to: ["one"])
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.progress (notification_id, recorded_at, delta, state)
                    SELECT id, created_at - interval '6 milliseconds', 1, 2 FROM dispatcher.notification WHERE id = \(number)
                    """
                )
                let sound =
                    "SELECT count(*) FROM dashboard.notifications WHERE state = 'completed' AND finished_at = created_at"
                #expect(try await stage.database.count(sound) == 1)
            }
        }

        @Test("a notification that is finished stays finished when it is cancelled")
        func cancelledTooLate() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("one")])
                let job = Job(to: #"{"installations":["one"]}"#)
                let id = try #require(UUIDValue(job.id))
                try await stage.withWorkers {
                    try await stage.publish([job])
                    _ = try await stage.finished(job)
                }
                #expect(try await !StatusStore(pool: stage.database.pool).cancel(id))
                #expect(try await stage.status(job)?.state == "completed")
            }
        }
    }
}
