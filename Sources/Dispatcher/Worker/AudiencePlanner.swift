import DispatchCore
import Synchronization

/// Cuts large audiences into batches, one audience after another, publishing each page as soon as it is committed.
final class AudiencePlanner: Sendable {
    private let store: PlanStore
    private let publisher: BatchPublisher
    private let log: Log
    private let backoff: Backoff
    private let plans: AsyncStream<PlanWork>
    private let continuation: AsyncStream<PlanWork>.Continuation
    private let stopping = Atomic<Bool>(false)

    /// The plans that wait here or are being cut.
    let active = ActiveWork()

    init(store: PlanStore, publisher: BatchPublisher, log: Log, backoff: Backoff) {
        self.store = store
        self.publisher = publisher
        self.log = log
        self.backoff = backoff
        // Unbounded, because each is one small value whose work is already committed; a lost one would be rescued.
        (plans, continuation) = AsyncStream.makeStream(bufferingPolicy: .unbounded)
    }

    /// Whether the worker is draining.
    var isStopping: Bool { stopping.load(ordering: .relaxed) }

    func add(_ plan: PlanWork) {
        active.insert(plan.notification.rawValue)
        continuation.yield(plan)
    }

    /// Ends after the page in hand; plans left over are released when the worker leaves.
    func stop() {
        stopping.store(true, ordering: .relaxed)
        continuation.finish()
    }

    func run() async {
        for await plan in plans {
            await run(plan)
            active.remove(plan.notification.rawValue)
        }
    }

    private func run(_ plan: PlanWork) async {
        var failures = 0
        while !isStopping {
            do {
                guard try await go(on: plan) else { return }
                failures = 0
            } catch {
                log.warning("plan.failed", ["notification": plan.notification.rawValue, "error": error])
                failures += 1
                await backoff.wait(failures)
            }
        }
    }

    /// One page, or what is due when there is none; answers whether there may be more.
    private func go(on plan: PlanWork) async throws -> Bool {
        if try await runPage(plan) { return true }
        if plan.isByDevice { return try await store.beginStep(of: plan) }
        try await store.finish(plan)
        return false
    }

    /// Writes and announces one page; answers whether there was one.
    private func runPage(_ plan: PlanWork) async throws -> Bool {
        let page = try await store.writePage(of: plan)
        CrashHook.reach(.pageWritten)
        guard !page.isEmpty else { return false }
        try await publisher.publish(page, lane: plan.lane)
        CrashHook.reach(.pagePublished)
        return true
    }
}
