import DispatchCore

@testable import Dispatcher

/// `AudiencePlanner`: one audience after another, page by page.
final class FakePlanner {
    private unowned let worker: FakeWorker
    private var waiting: [PlanWork] = []
    private var isRunning = false

    /// The plans that wait here or are being cut.
    let active = ActiveWork()

    init(worker: FakeWorker) { self.worker = worker }

    func add(_ plan: PlanWork) {
        active.insert(plan.notification.rawValue)
        waiting.append(plan)
        if !isRunning { runNext() }
    }

    private func runNext() {
        isRunning = !waiting.isEmpty
        guard isRunning else { return }
        let plan = waiting.removeFirst()
        run(plan, failures: 0) { [self] in
            active.remove(plan.notification.rawValue)
            runNext()
        }
    }

    private func run(_ plan: PlanWork, failures: Int, _ then: @escaping () -> Void) {
        let worker = worker
        let again = { [self] in
            worker.pause(failures + 1) { self.run(plan, failures: failures + 1, then) }
        }
        writePage(of: plan) { [self] page in
            guard let page else { return again() }
            guard !page.isEmpty else {
                return worker.call(worker.pool(plan.lane), "finishes plan", { $0.finish(plan, worker: worker.id) }) {
                    if case .success = $0 { then() } else { again() }
                }
            }
            worker.announce(page.map { .init(id: $0.id, size: $0.size, lane: plan.lane) }) { [self] isDone in
                if isDone { run(plan, failures: 0, then) } else { again() }
            }
        }
    }

    private func writePage(of plan: PlanWork, _ then: @escaping ([PlanStore.PlannedBatch]?) -> Void) {
        let worker = worker
        let limit = worker.profile.batchLimit(plan.lane)
        worker.call(
            worker.pool(plan.lane),
            "writes page",
            {
                $0.writePage(
                    of: plan,
                    worker: worker.id,
                    batchLimit: limit,
                    pageLimit: limit * worker.profile.batchesPerPage
                )
            }
        ) { then(try? $0.get()) }
    }
}
