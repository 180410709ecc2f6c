import DispatchCore
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// What is called back, or comes too late, while much of it is under way.
    @Suite(.timeLimit(.minutes(4))) struct BroadcastCancelTests {
        /// Every answer takes a while, so that a broadcast is under way for some seconds.
        private static let slow = ["DISPATCHER_SIMULATED_GATEWAY": "latency=fixed:400ms"]

        @Test("cancelling a running broadcast stops every batch that has not begun, and the counts are exact")
        func broadcast() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(20_000)
                let job = Job(to: #"{"broadcast":true}"#)
                let id = try #require(UUIDValue(job.id))
                let atCancel = try await stage.withWorkers(2, Self.slow) { () async throws -> Int in
                    try await stage.publish([job], lane: .bulk)
                    try await stage.expect(
                        atLeast: 1_000,
                        "SELECT coalesce(sum(accepted), 0)::int8 FROM dashboard.notifications"
                    )
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(id))
                    let accepted = try await stage.status(job)?.tally["accepted"] ?? 0
                    try await stage.expectQuiet(within: .seconds(60))
                    try await stage.expect(0, "SELECT count(*) FROM dispatcher.plan")
                    return accepted
                }
                let status = try await stage.finished(job)
                let tally = status.tally
                let accepted = tally["accepted"] ?? 0
                let cancelled = tally["cancelled"] ?? 0
                #expect(status.state == "cancelled" && tally.keys.sorted() == ["accepted", "audience", "cancelled"])
                #expect(accepted + cancelled == tally["audience"], "\(tally)")
                // Two workers had no more than this in their hands when it was committed.
                #expect(
                    accepted >= atCancel && accepted <= atCancel + 2 * LaneProfile.sharedBudget,
                    "\(atCancel) \(tally)"
                )
                #expect(cancelled > 0)
                let rows = try await stage.database.count("SELECT count(*) FROM dashboard.deliveries")
                #expect(rows == tally["audience"])
                let counts = try stage.witness.counts(of: job.id)
                #expect(counts.count == accepted && counts.values.allSatisfy { $0 == 1 })
            }
        }

        @Test("what waits for a later attempt ends soon when it is cancelled, once, not at the pace of retries")
        func waiting() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(3_000)
                try await stage.register([Device("other", channel: "after900-other")])
                try await stage.database.execute(
                    """
                    UPDATE dispatcher.installation SET push_channel = 'after900-' || installation_id, platform = 1
                    WHERE 'crowd' = ANY (tags) AND installation_id <> 'crowd-1'
                    """
                )
                let job = Job(to: #"{"tags":"crowd"}"#)
                let other = Job(to: #"{"installations":["other"]}"#)
                try await stage.withWorkers(2, ["DISPATCHER_RETRY_RATE": "1"]) { () async throws in
                    try await stage.publish([job, other])
                    try await stage.expect(3_000, "SELECT count(*) FROM dashboard.retries_due")
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(#require(UUIDValue(job.id))))
                    let tally = try await stage.finished(job).tally
                    #expect(tally == ["audience": 3_000, "accepted": 1, "cancelled": 2_999])
                    try await stage.expectQuiet()
                    try await stage.expect(0, "SELECT count(*) FROM dispatcher.ending")
                }
                // Nothing else was brought forward, nothing ended twice and nothing was tried.
                try await stage.expect(1, "SELECT count(*) FROM dashboard.retries_due")
                let rows = try await stage.deliveries(job)
                #expect(rows.count == 3_000 && rows.allSatisfy { $0.attempts == 1 })
                #expect(try stage.witness.counts(of: job.id).values.allSatisfy { $0 == 1 })
                let outcomes = try await stage.database.count(
                    "SELECT coalesce(sum(count), 0)::int8 FROM dashboard.platform_outcomes WHERE state = 'cancelled'"
                )
                #expect(outcomes == 2_999)
            }
        }

        @Test("what is parked for a stopped channel is kept by nothing when it is cancelled")
        func parked() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(200)
                try await stage.database.execute(
                    """
                    INSERT INTO dispatcher.channel_pause (hub_id, platform, target, cause, reason, until, worker_id, restore_since)
                    SELECT 0, p, '', 'refused', 'x', now() + interval '1 hour', 1, now() FROM unnest(ARRAY[1, 2]) p
                    """
                )
                let job = Job(to: #"{"tags":"crowd"}"#)
                try await stage.withWorkers { () async throws in
                    try await stage.publish([job])
                    try await stage.expect(200, "SELECT count(*) FROM dashboard.retries_due WHERE state = 'parked'")
                    #expect(try await StatusStore(pool: stage.database.pool).cancel(#require(UUIDValue(job.id))))
                    #expect(try await stage.finished(job).tally == ["audience": 200, "cancelled": 200])
                    try await stage.expect(0, "SELECT count(*) FROM dashboard.retries_due")
                }
                #expect(try stage.witness.lines().isEmpty)
                #expect(try await stage.deliveries(job).allSatisfy { $0.attempts == 0 })
            }
        }

        @Test("what was due while nobody worked is sent afterwards, and is expired if its time is over")
        func missed() async throws {
            try await Stage.with { stage in
                try await stage.registerCrowd(60)
                let hence = DatabaseClock().now + .seconds(3_600)
                let local = String(hence.rfc3339.prefix(19))
                let at = Job(to: #"{"tags":"crowd"}"#, options: #"{"sendAt":"\#(hence.rfc3339)"}"#)
                let atClock = Job(to: #"{"tags":"crowd"}"#, options: #"{"sendAt":"\#(local)","timeZone":"device"}"#)
                let over = Job(to: #"{"tags":"crowd"}"#, options: #"{"sendAt":"\#(hence.rfc3339)","ttlSeconds":60}"#)
                let overByClock = Job(
                    to: #"{"tags":"crowd"}"#,
                    options: #"{"sendAt":"\#(local)","timeZone":"device","ttlSeconds":60}"#
                )
                try await stage.withWorkers { () async throws in
                    try await stage.publish([at, atClock, over, overByClock])
                    try await stage.expect(4, "SELECT count(*) FROM dispatcher.plan WHERE worker_id IS NULL")
                    try await stage.expect(2, "SELECT count(*) FROM dashboard.local_times")
                }
                #expect(try stage.witness.lines().isEmpty)
                // An hour and a half goes by.
                try await stage.database.execute(
                    """
                    UPDATE dispatcher.plan SET due_at = due_at - interval '90 minutes', local_at = local_at - interval '90 minutes';
                    UPDATE dispatcher.notification SET expires_at = expires_at - interval '90 minutes',
                        body = convert_to(replace(convert_from(body, 'UTF8'), '\(local)',
                            to_char('\(local)'::timestamp - interval '90 minutes', 'YYYY-MM-DD"T"HH24:MI:SS')), 'UTF8');
                    """
                )
                try await stage.withWorkers { () async throws in
                    for job in [at, atClock] {
                        #expect(try await stage.finished(job).tally == ["audience": 60, "accepted": 60])
                    }
                    for job in [over, overByClock] {
                        #expect(try await stage.finished(job).tally == ["audience": 60, "expired": 60])
                    }
                }
                #expect(try stage.witness.lines().count == 120)
            }
        }

        @Test("a retry and a batch that are begun after the end are expired, and what a gateway never answers is too")
        func expiresOnTheWay() async throws {
            try await Stage.with { stage in
                let channels = [("slow", "after60-1"), ("later", "after60-2"), ("mute", "hang-1")]
                try await stage.register(channels.map { Device($0, channel: $1) })
                let retried = Job(to: #"{"installations":["slow"]}"#, options: #"{"ttlSeconds":600}"#)
                let mute = Job(to: #"{"installations":["mute"]}"#, options: #"{"ttlSeconds":6}"#)
                try await stage.withWorkers(1, ["DISPATCHER_GATEWAY_TIMEOUT_SECONDS": "8"]) { () async throws in
                    try await stage.publish([retried, mute])
                    #expect(try await stage.finished(mute).tally == ["audience": 1, "expired": 1])
                }
                #expect(try await stage.deliveries(mute).first?.isAmbiguous == true)
                // The worker is away while the retries fall due and their time ends.
                let queued = Job(to: #"{"installations":["later"]}"#, options: #"{"ttlSeconds":600}"#)
                try await stage.withWorkers { () async throws in
                    try await stage.publish([queued])
                    try await stage.expect(2, "SELECT count(*) FROM dispatcher.retry")
                }
                try await stage.database.execute(
                    """
                    UPDATE dispatcher.notification SET expires_at = now() - interval '1 second';
                    UPDATE dispatcher.retry SET due_at = now() - interval '2 seconds';
                    """
                )
                try await stage.withWorkers { () async throws in
                    for job in [retried, queued] {
                        #expect(try await stage.finished(job).tally == ["audience": 1, "expired": 1])
                        #expect(try await stage.deliveries(job).first?.attempts == 1)
                    }
                }
                #expect(try stage.witness.lines().isEmpty)
            }
        }
    }
}
