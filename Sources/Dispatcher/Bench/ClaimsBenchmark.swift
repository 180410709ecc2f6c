import DispatchCore
import Postgres

/// Does what a worker does, without a broker or a gateway, and times each call: on a database that is kept for it alone.
///
/// The statements are the worker's own, by its own stores, so that what is measured is what runs. Every round ends all that it
/// began: it finds the database as the round before did, but for the rows that have ended.
struct ClaimsBenchmark {
    let pool: PostgresPool
    let hubs: HubDirectory
    let hub: Hub
    let worker: Int64
    let users: Int
    let times = ClaimTimes()
    private let clock = DatabaseClock()

    /// The hub that says that a database is meant for this.
    static let hubName = "bench-claims"

    /// Reads what the rounds need to know; fails on a database that is not meant for this.
    static func prepare(_ pool: PostgresPool) async throws -> ClaimsBenchmark {
        let hubs = HubDirectory(pool: pool)
        guard let hub = try await hubs.hub(named: hubName) else {
            throw CommandFailure("this database has no hub \(hubName): it is not one to measure on")
        }
        let statement = PostgresStatement(
            "SELECT count(DISTINCT user_id) FROM dispatcher.installation WHERE hub_id = $1",
            [.int4(hub.id)]
        )
        let users = try await pool.withSession { session throws(PostgresError) in
            Int(try session.execute(statement).int8(0, 0))
        }
        guard users > 0 else { throw CommandFailure("the hub \(hubName) has no devices") }
        let workers = WorkerStore(pool: pool)
        let worker = try await workers.register(host: "bench", process: 0, version: Version.current)
        return ClaimsBenchmark(pool: pool, hubs: hubs, hub: hub, worker: worker, users: users)
    }

    /// Goes through everything so often; leaves no work behind.
    func run(rounds: Int) async throws {
        for _ in 0..<rounds {
            try await heartbeat()
            try await waveRound()
            try await scheduleRound()
            try await rescueRound()
            try await looks()
        }
        try await WorkerStore(pool: pool).leave(worker)
    }

    private func heartbeat() async throws {
        let heartbeat = WorkerHeartbeat(id: worker, host: "bench", process: 0, version: Version.current)
        let told = try await WorkerStore(pool: pool).renew(heartbeat)
        await clock.synchronise { told }
    }

    /// What comes in at once: found, planned and recorded, with retries that are due and some that wait for a channel.
    private func waveRound() async throws {
        let plan = try await plan(jobs(), by: worker, isTimed: true)
        for (index, batch) in plan.batches.enumerated() {
            // All but the first are begun by the record of the one before.
            let begun = index == 0 ? batch : batch.atNextEpoch
            let next = index + 1 < plan.batches.count ? plan.batches[index + 1] : nil
            try await times.measure(.recordWave) {
                try await record(begun, BenchAnswers.mixed(begun, hub: hub, now: clock.now), next: next)
            }
        }
        try await endRetries(.takeRetries)
        try await resumeChannel()
        try await endRetries(.releaseParked)
        // A channel that was resumed a moment ago takes what is parked at once.
        try await execute("DELETE FROM dispatcher.channel_pause WHERE hub_id = \(hub.id)")
    }

    private func endRetries(_ step: ClaimStep) async throws {
        let taken = try await times.measure(step) { try await schedule.takeDueRetries(10_000) }
        guard !taken.isEmpty else { throw CommandFailure("nothing was found: \(step.rawValue)") }
        for announced in taken {
            let batch = try await times.measure(.claimRetries) { try await batches.claim(announced.batch.id) }
            guard let batch else { throw CommandFailure("a batch of retries was gone") }
            try await times.measure(.recordRetries) {
                try await record(batch, BenchAnswers.accepted(batch, now: clock.now))
            }
        }
    }

    /// A scheduled job whose time comes, cut into batches that are claimed one by one.
    private func scheduleRound() async throws {
        _ = try await plan([BenchJobs.scheduled(hub: hub, now: clock.now)], by: worker, isTimed: false)
        try await execute("UPDATE dispatcher.plan SET due_at = now() WHERE due_at < now() + interval '2 hours'")
        let row = try await times.measure(.promote) { try await plans.claimDue() }
        guard let work = try row?.work else { throw CommandFailure("a plan was gone") }
        let page = try await times.measure(.writePage) { try await plans.writePage(of: work) }
        try await plans.finish(work)
        for announced in page {
            let batch = try await times.measure(.claimBatch) { try await batches.claim(announced.id) }
            guard let batch else { throw CommandFailure("a batch was gone") }
            try await times.measure(.recordBatch) {
                try await record(batch, BenchAnswers.accepted(batch, now: clock.now))
            }
        }
    }

    /// A worker that has no lease leaves a batch that it had begun.
    private func rescueRound() async throws {
        _ = try await plan(jobs(), by: worker + 1_000_000, isTimed: false)
        let found = try await times.measure(.rescue) { try await schedule.rescue() }
        guard !found.announced.isEmpty else { throw CommandFailure("a lost worker's batch was not found") }
        for announced in try await everyBatch() {
            guard let batch = try await batches.claim(announced) else { throw CommandFailure("a batch was gone") }
            try await record(batch, BenchAnswers.accepted(batch, now: clock.now))
        }
    }

    /// What every worker asks all the time, mostly in vain.
    private func looks() async throws {
        let retries = try await times.measure(.lookForRetries) { try await schedule.takeDueRetries(625) }
        let plan = try await times.measure(.lookForPlans) { try await plans.claimDue() }
        let unannounced = try await times.measure(.lookForUnannounced) { try await schedule.findUnannounced() }
        let lost = try await times.measure(.lookForLost) { try await schedule.rescue() }
        let outbox = OutboxStore(pool: pool, worker: worker)
        let isWaiting = try await times.measure(.lookForEvents) { try await outbox.isWaiting(.events) }
        guard retries.isEmpty, plan == nil, unannounced.isEmpty, lost.announced.isEmpty, !isWaiting else {
            throw CommandFailure("a round has left work behind")
        }
    }
}

extension ClaimsBenchmark {
    private var schedule: ScheduleStore { ScheduleStore(pool: pool, worker: worker) }
    private var plans: PlanStore { PlanStore(pool: pool, worker: worker) }
    private var batches: BatchStore { BatchStore(pool: pool, worker: worker, hubs: hubs) }

    private func jobs() throws -> [WaveJob] {
        try BenchJobs.wave(of: LaneProfile.of(.high).waveLimit, users: users, hub: hub, now: clock.now)
    }

    private func plan(_ jobs: [WaveJob], by owner: Int64, isTimed: Bool) async throws -> WavePlan {
        let store = WaveStore(pool: pool, worker: owner)
        let times = isTimed ? times : ClaimTimes()
        let resolved = try await times.measure(.resolveWave) { try await store.resolve(jobs) }
        let limit = LaneProfile.of(.normal).batchLimit
        let draft = WaveDraft(jobs, resolved: resolved, queue: "", batchLimit: limit, now: clock.now)
        let ids = try await times.measure(.commitWave) { try await store.commit(draft, lane: .normal) }
        return WavePlan(draft, ids: ids, lane: .normal)
    }

    private func record(_ batch: BatchWork, _ results: [DeliveryResult], next: BatchWork? = nil) async throws {
        let record = BatchRecord(batch, results: results, at: clock.now)
        let answer = try await RecordStore(pool: pool, worker: worker, told: EventChoice([]))
            .record(
                record,
                of: batch,
                remaining: nil,
                next: next.map { NextBatch(id: $0.id, epoch: $0.epoch) },
                isTolerant: false
            )
        guard case .recorded = answer else { throw CommandFailure("a batch was no longer the benchmark's") }
    }

    /// The channel's operator says that it works again.
    private func resumeChannel() async throws {
        try await execute(
            """
            INSERT INTO dispatcher.channel_pause
                (hub_id, platform, target, cause, reason, until, worker_id, restore_since, closed_at)
            VALUES (\(hub.id), 1, '', 'refused', 'bench', now(), \(worker), now(), now())
            ON CONFLICT (hub_id, platform, target, is_sandbox) DO UPDATE SET closed_at = now()
            """
        )
    }

    private func everyBatch() async throws -> [Int64] {
        try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(PostgresStatement("SELECT id FROM dispatcher.batch ORDER BY id"))
            var ids: [Int64] = []
            for row in 0..<rows.count { ids.append(try rows.int8(row, 0)) }
            return ids
        }
    }

    private func execute(_ sql: String) async throws {
        let statement = PostgresStatement(sql)
        try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
    }
}
