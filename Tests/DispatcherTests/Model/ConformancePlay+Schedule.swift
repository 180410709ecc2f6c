import DispatchCore
import Postgres

@testable import Dispatcher

extension ConformancePlay {
    private func schedule(_ worker: Int64) -> ScheduleStore { ScheduleStore(pool: real.pool, worker: worker) }

    private static let retriesATurn = 1000

    mutating func takeRetries(_ worker: Int64) async throws {
        note("worker \(worker) takes retries")
        let model = fake.takeDueRetries(limit: Self.retriesATurn) { LaneProfile.of($0).batchLimit }
        let store = try await schedule(worker).takeDueRetries(Self.retriesATurn)
        try agree(model.map(\.shape).sorted(), store.map(\.shape).sorted(), "batches of retries")
        try await pair(model.map(\.id), store.map(\.batch.id))
    }

    mutating func takeCancelled(_ worker: Int64) async throws {
        note("worker \(worker) takes what is cancelled")
        // When the next look at a notification is due is not of the model.
        try await real.execute("UPDATE dispatcher.ending SET look_at = '-infinity'")
        let model = fake.takeCancelledRetries { LaneProfile.of($0).batchLimit }
        let store = try await schedule(worker).takeCancelledRetries(Self.retriesATurn)
        try agree(model.map(\.shape).sorted(), store.map(\.shape).sorted(), "batches of what is cancelled")
        try await pair(model.map(\.id), store.map(\.batch.id))
    }

    /// Finds out which of the new batches is which by what is in them.
    private mutating func pair(_ mine: [Int64], _ theirs: [Int64]) async throws {
        let rows = try await real.texts(
            "SELECT id::text, concat_ws(' ', notification_ids, installation_ids) FROM dispatcher.batch WHERE id = ANY ($1)",
            [.int8s(theirs)]
        )
        let found = Dictionary(uniqueKeysWithValues: rows.map { ($0[1], Int64($0[0])) })
        for id in mine { realBatches[id] = found[fake.batches[id]?.content ?? ""] ?? nil }
    }

    mutating func rescue(_ worker: Int64) async throws {
        note("worker \(worker) rescues")
        fake.releaseLostPlans()
        let model = fake.rescue()
        // The model has workers that are killed, and none that is crashed by its work.
        let store = try await schedule(worker).rescue(suspectAfter: .max)
        try compare(model, store.announced, "rescued batches")
    }

    mutating func giveBack(_ worker: Int64) async throws {
        note("worker \(worker) compares and gives back")
        let owned = fake.ownedBatches(worker)
        let found = try await schedule(worker).ownedBatches().sorted()
        try agree(owned.compactMap { realBatches[$0] }.sorted(), found, "owned batches")
        let plans = fake.ownedPlans(worker)
        try agree(plans, try await schedule(worker).ownedPlans().sorted(), "owned plans")
        let some = owned.filter { _ in dice.below(3) == 0 }
        let model = fake.giveBack(some, worker: worker)
        try compare(model, try await schedule(worker).giveBack(some.compactMap { realBatches[$0] }), "given back")
        let somePlans = plans.filter { _ in dice.below(3) == 0 }
        fake.giveBackPlans(somePlans, worker: worker)
        try await schedule(worker).giveBackPlans(somePlans)
    }

    mutating func announce(_ worker: Int64) async throws {
        note("worker \(worker) announces")
        let model = fake.findUnannounced()
        try compare(model, try await schedule(worker).findUnannounced(), "unannounced batches")
        let some = fake.batches.keys.sorted().filter { _ in dice.below(2) == 0 }
        fake.markPublished(some)
        let hubs = HubDirectory(pool: real.pool)
        let store = BatchStore(pool: real.pool, worker: worker, hubs: hubs)
        try await store.markPublished(some.compactMap { realBatches[$0] })
    }

    private func compare(
        _ model: [FakeDatabase.Announcement],
        _ store: [ScheduleStore.Announcement],
        _ what: String
    ) throws {
        let mine = model.map { "\(realBatches[$0.id] ?? 0) \($0.shape)" }.sorted()
        try agree(mine, store.map { "\($0.batch.id) \($0.shape)" }.sorted(), what)
    }

    mutating func cancel() async throws {
        guard !jobs.isEmpty else { return }
        let job = dice.pick(jobs).id
        if dice.below(2) == 0 {
            note("\(job) is cancelled")
            try agree(fake.cancel(job), try await StatusStore(pool: real.pool).cancel(job), "cancelled")
        } else {
            note("\(job) is withdrawn")
            let store = try await HubJobStore(pool: real.pool, hub: fake.hub.id).cancel(job)
            try agree(fake.withdraw(job), store, "withdrawn")
        }
    }

    /// A worker says that it lives, or goes.
    mutating func live(_ worker: Int64) async throws {
        let store = WorkerStore(pool: real.pool)
        guard dice.below(4) > 0 else {
            note("worker \(worker) leaves")
            fake.leave(worker)
            return try await store.leave(worker)
        }
        note("worker \(worker) renews")
        let time = try await store.renew(WorkerHeartbeat(id: worker, host: "h", process: 1, version: "0"))
        try agree(fake.renew(worker), time, "time of the database")
    }
}

extension FakeDatabase.Announcement {
    fileprivate var shape: String { "\(size) \(lane)" }
}

extension ScheduleStore.Announcement {
    fileprivate var shape: String { "\(batch.size) \(lane)" }
}

extension FakeDatabase.Batch {
    /// What no other batch has, as PostgreSQL writes it.
    fileprivate var content: String {
        let lists = [notifications.map(\.rawValue), installations.map(\.rawValue)]
        return lists.map { "{" + $0.map { "\($0)" }.joined(separator: ",") + "}" }.joined(separator: " ")
    }
}
