import AMQP
import DispatchCore
import Postgres

@testable import Dispatcher

extension ConformancePlay {
    mutating func passTime() async throws {
        let length = dice.pick([
            Duration.milliseconds(700), .seconds(2), .seconds(4), .seconds(11), .seconds(16), .seconds(1_000),
        ])
        fake.now = fake.now + length
        note("time passes: \(length)")
        try await clock.set(fake.now)
    }

    /// Resolves a wave on both, and commits its draft now or later, as a worker that is slow would.
    mutating func plan(_ worker: Int64) async throws {
        let lane = dice.pick(Lane.allCases)
        let wave = try (0...dice.below(4)).map { _ in try nextJob() }
        note("worker \(worker) resolves \(wave.map { "\($0.job.id)" })")
        let model = fake.resolve(wave)
        let store = try await WaveStore(pool: real.pool, worker: worker).resolve(wave)
        try agree(model.ids.map(\.rawValue), store.ids.map(\.rawValue), "reserved ids")
        try agree(model.targets.map(Self.keys), store.targets.map(Self.keys), "targets")
        for job in wave {
            let identity = WaveIdentity(job: job.job.id, hub: job.hub.id)
            try agree(model.existing[identity], store.existing[identity], "known job \(job.job.id)")
        }
        let draft = WaveDraft(
            wave,
            resolved: model,
            queue: lane.jobsQueue,
            batchLimit: LaneProfile.of(lane).batchLimit,
            now: fake.now
        )
        guard !draft.accepted.isEmpty else { return }
        drafts.append((draft, lane, worker))
        if dice.below(3) > 0 { try await commitDraft() }
    }

    /// A job as it comes: a new one, or one that was published before.
    private mutating func nextJob() throws -> WaveJob {
        var job: ModelJob
        repeat { job = .random(&dice, now: fake.now, users: Self.users) } while job.isHopeless
        if !jobs.isEmpty, dice.below(4) == 0 {
            job = dice.below(3) == 0 ? dice.pick(jobs).contradiction : dice.pick(jobs)
        }
        jobs.append(job)
        let message = AMQPDelivery(
            tag: DeliveryTag(value: 1, epoch: 1),
            body: job.body,
            routingKey: "",
            exchange: "",
            isRedelivered: false,
            properties: AMQPProperties()
        )
        return WaveJob(job: try SendJob(decoding: job.body, messageID: nil), hub: fake.hub, message: message)
    }

    private static func keys(_ targets: [DeliveryTarget]) -> [Int64] { targets.map(\.installation.rawValue).sorted() }

    mutating func commitDraft() async throws {
        guard !drafts.isEmpty else { return }
        let (draft, lane, worker) = drafts.remove(at: dice.below(drafts.count))
        note("worker \(worker) commits \(draft.accepted.map(\.id.rawValue))")
        let model: [Int64]?
        do throws(FakeDatabase.Refusal) {
            model = try fake.commit(draft, lane: lane, worker: worker)
        } catch {
            model = nil
        }
        var store: [Int64]?
        do {
            store = try await WaveStore(pool: real.pool, worker: worker).commit(draft, lane: lane)
        } catch let error as PostgresError where error.sqlState == "23505" {
            store = nil
        }
        try agree(model?.count, store?.count, "batches of a plan")
        guard let model, let store else { return }
        for (mine, theirs) in zip(model, store) { realBatches[mine] = theirs }
        let plan = WavePlan(draft, ids: model, lane: lane)
        if let first = plan.batches.first { hands.append((first, worker)) }
        plans += plan.large.map { ($0, worker) }
    }

    mutating func cutPlan(_ worker: Int64) async throws {
        note("worker \(worker) claims a plan")
        // Of several that are due at one instant PostgreSQL may take any.
        let due = fake.plans.values.filter { $0.worker == nil && $0.dueAt <= fake.now }.map(\.dueAt)
        guard Set(due).count == due.count else { return }
        let model = fake.claimDuePlan(worker: worker)
        let store = try await PlanStore(pool: real.pool, worker: worker).claimDue()
        try agree(model?.notification.rawValue, store?.notification.rawValue, "claimed plan")
        try agree(model?.epoch, store?.epoch, "epoch of a plan")
        if let model { plans.append((model, worker)) }
    }

    mutating func writePage() async throws {
        guard !plans.isEmpty else { return }
        let place = dice.below(plans.count)
        let (plan, worker) = plans[place]
        note("worker \(worker) cuts \(plan.notification.rawValue) at epoch \(plan.epoch)")
        let limit = LaneProfile.of(plan.lane).batchLimit
        let model = fake.writePage(
            of: plan,
            worker: worker,
            batchLimit: limit,
            pageLimit: limit * PlanStore.batchesPerPage
        )
        let plans = PlanStore(pool: real.pool, worker: worker)
        let store = try await plans.writePage(of: plan).sorted { $0.id < $1.id }
        try agree(model.map(\.size), store.map(\.size), "sizes of a page's batches")
        for (mine, theirs) in zip(model, store) { realBatches[mine.id] = theirs.id }
        guard model.isEmpty else { return }
        self.plans.remove(at: place)
        fake.finish(plan, worker: worker)
        try await plans.finish(plan)
    }
}

extension ModelJob {
    /// Whether no wave would hold it.
    fileprivate var isHopeless: Bool {
        if case .nobodyKnows = audience { true } else { false }
    }
}
