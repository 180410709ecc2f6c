import DispatchCore
import Synchronization

/// Brings back what waits in SQL: due retries, due plans, unannounced batches, and the work of lost workers.
///
/// Every worker runs one, without a leader: each row is taken by exactly one of them.
struct Scheduler: Sendable {
    let schedule: ScheduleStore
    let plans: PlanStore
    let planners: AudiencePlanners
    let publisher: BatchPublisher
    let workers: WorkerStore
    let inboxes: InboxKeeper
    let badges: BadgeSyncStore
    let channels: ChannelKeeper
    let outboxes: [OutboxRelay]
    let intake: JobIntakeStore
    let erasures: ErasureRunner
    let lostQueues: LostQueues
    let active: ActiveWork
    let trials: CrashTrials
    let counters: WorkerCounters
    let retentionDays: Int

    /// How many due retries are taken up in a second.
    let retryRate: Int
    let log: Log
    let backoff: Backoff

    /// How late a retry may be taken, on top of its own delay.
    static let tick = Duration.milliseconds(250)
    static let endingInterval = Duration.seconds(1)

    /// How many retries of cancelled notifications end by one look: the gateways have no part in it.
    static let endingsPerLook = 10_000
    private static let inboxInterval = Duration.seconds(1)
    static let rescueInterval = Duration.seconds(3)
    static let reconcileInterval = Duration.seconds(10)
    private static let cleaningInterval = Duration.seconds(60)
    private static let maintenanceInterval = Duration.seconds(3600)

    /// Runs until its task is cancelled.
    func run() async {
        await withDiscardingTaskGroup { group in
            group.addTask {
                var pace = RetryPace(rate: retryRate, now: .now)
                await repeatedly("schedule", every: Self.tick) { try await takeDueWork(&pace) }
            }
            group.addTask { await repeatedly("endings", every: Self.endingInterval) { try await endCancelled() } }
            group.addTask {
                var lastFailure: ContinuousClock.Instant?
                await repeatedly("rescue", every: Self.rescueInterval) { try await rescue(&lastFailure) }
            }
            group.addTask {
                await repeatedly("trials", every: CrashTrials.interval) {
                    while !planners.isStopping, try await trials.runNext() {}
                }
            }
            group.addTask {
                await repeatedly("channels", every: ChannelKeeper.interval) { try await channels.synchronise() }
            }
            for outbox in outboxes {
                group.addTask { await repeatedly("outbox", every: OutboxRelay.interval) { try await outbox.empty() } }
            }
            group.addTask { await repeatedly("inboxes", every: Self.inboxInterval) { try await keepInboxes() } }
            group.addTask { await repeatedly("reconcile", every: Self.reconcileInterval) { try await reconcile() } }
            group.addTask { await repeatedly("erase", every: ErasureRunner.interval) { try await erasures.step() } }
            group.addTask {
                await repeatedly("clean", every: Self.cleaningInterval) {
                    while try await intake.clean(retentionDays: retentionDays), !Task.isCancelled {}
                }
            }
            group.addTask { await repeatedly("maintain", every: Self.maintenanceInterval) { try await maintain() } }
        }
    }

    private func repeatedly(_ name: String, every interval: Duration, _ step: () async throws -> Void) async {
        var failures = 0
        while !Task.isCancelled {
            do {
                try await step()
                failures = 0
                try? await Task.sleep(for: interval)
            } catch {
                guard !Task.isCancelled else { return }
                failures += 1
                log.warning("\(name).failed", ["failures": failures, "error": error])
                await backoff.wait(failures)
            }
        }
    }

    private func takeDueWork(_ pace: inout RetryPace) async throws {
        let retries = try await schedule.takeDueRetries(pace.allowed(.now))
        if !retries.isEmpty { CrashHook.reach(.retriesTaken) }
        pace.spend(retries.reduce(0) { $0 + $1.batch.size })
        try await announce(retries)
        while !planners.isStopping, let row = try await plans.claimDue() {
            do throws(JobError) {
                let plan = try row.work
                planners[plan.lane].add(plan)
            } catch {
                log.error("job.unreadable", ["notification": row.jobID, "error": error])
                try await plans.abandon(row, error: error)
            }
        }
    }

    /// What waits for a later attempt does not wait for its end once it is cancelled; an end is no attempt, so neither pace
    /// nor budget holds it.
    private func endCancelled() async throws {
        try await announce(await schedule.takeCancelledRetries(Self.endingsPerLook))
    }

    /// After an outage every lease has ended at once, so the living get the time of one to renew theirs.
    private func rescue(_ lastFailure: inout ContinuousClock.Instant?) async throws {
        do {
            try await announceLost()
            try await announce(await schedule.findUnannounced())
            if let lastFailure, .now - lastFailure < WorkerStore.lease { return }
            try await rescue()
        } catch {
            lastFailure = .now
            throw error
        }
    }

    /// The broker's queue of batches was deleted: without this they would wait for their announcements to grow stale.
    private func announceLost() async throws {
        let lanes = lostQueues.take()
        guard !lanes.isEmpty else { return }
        do {
            try await schedule.forgetAnnouncements(lanes)
        } catch {
            lostQueues.note(lanes)
            throw error
        }
        log.warning("batches.unannounced", ["lanes": lanes.map(\.name).joined(separator: ",")])
    }

    private func rescue() async throws {
        let rescue = try await schedule.rescue()
        if rescue.count > 0 {
            log.warning("batches.rescued", ["count": rescue.count])
            CrashHook.reach(.rescued)
        }
        for finding in rescue.findings {
            counters.add(finding.verdict)
            log.warning(
                "crash.\(finding.verdict.rawValue)",
                ["notification": finding.notification.rawValue, "deliveries": finding.deliveries]
            )
        }
        try await announce(rescue.announced)
    }

    /// Gives back what is ours in SQL and what nobody here works on: the answer to its commit was lost.
    private func reconcile() async throws {
        let batches = active.abandoned(of: try await schedule.ownedBatches())
        if !batches.isEmpty {
            log.warning("batches.abandoned", ["count": batches.count])
            try await announce(await schedule.giveBack(batches))
        }
        let plans = planners.abandoned(of: try await schedule.ownedPlans())
        if !plans.isEmpty { try await schedule.giveBackPlans(plans) }
    }

    private func keepInboxes() async throws {
        try await badges.queueDue()
        while try await inboxes.removeWithdrawn(), !Task.isCancelled {}
    }

    private func maintain() async throws {
        try await workers.maintainPartitions(retentionDays: retentionDays)
        try await LocalTimeStore(pool: workers.pool).learnZones()
        try await workers.forgetLost()
        try await erasures.store.removeOld()
        while try await workers.removeExpired(retentionDays: retentionDays), !Task.isCancelled {}
        while try await inboxes.removeOld(retentionDays: retentionDays), !Task.isCancelled {}
        while try await workers.removeOld(retentionDays: retentionDays), !Task.isCancelled {}
        while try await workers.removeOldContents(retentionDays: retentionDays), !Task.isCancelled {}
    }

    private func announce(_ found: [ScheduleStore.Announcement]) async throws {
        for (lane, group) in Dictionary(grouping: found, by: \.lane) {
            try await publisher.publish(group.map(\.batch), lane: lane)
        }
    }
}

extension PlanRow {
    /// The plan's work; a stored job can only be unreadable for another version than the one that accepted it.
    var work: PlanWork {
        get throws(JobError) {
            let job = try SendJob(decoding: body, messageID: jobID.description)
            return PlanWork(
                notification: notification,
                hub: hub,
                lane: lane,
                audience: job.audience,
                platformMask: job.platformMask,
                inbox: InboxEntry(job, hubKeepsInbox: hubKeepsInbox),
                isByDevice: job.isByDevice,
                epoch: epoch
            )
        }
    }
}
