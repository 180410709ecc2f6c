/// Tries batches that workers had in hand when they crashed, each while nothing else of this worker is, so that the one in
/// hand when it ends is the guilty one.
///
/// What comes through is sent and recorded like any other batch, and with that it is cleared.
struct CrashTrials: Sendable {
    let suspects: CrashSuspectStore
    let batches: BatchStore
    let runner: BatchRunner
    let quarantine: Quarantine
    let urgentBudget: InFlightBudget
    let sharedBudget: InFlightBudget
    let stragglers: StragglerGroup
    let active: ActiveWork
    let counters: WorkerCounters
    let log: Log

    static let interval = Duration.seconds(1)

    /// Tries one suspect; false when there is none for this worker.
    func runNext() async throws -> Bool {
        guard let id = try await suspects.reserve() else { return false }
        active.insert(id)
        defer { active.remove(id) }
        // In the order in which a lane takes both; urgent work waits for as short as can be.
        await quarantine.enter(isAlone: true)
        defer { quarantine.leave(isAlone: true) }
        let shared = await BudgetShare.acquire(LaneProfile.sharedBudget, of: sharedBudget)
        defer { shared.release() }
        let urgent = await BudgetShare.acquire(LaneProfile.urgentBudget, of: urgentBudget)
        defer { urgent.release() }
        // A worker that leaves gives it back, untried.
        guard !Task.isCancelled, try await suspects.beginTrial(id) else { return false }
        try await run(id, lane: { $0 == .high ? urgent : shared })
        return true
    }

    private func run(_ id: Int64, lane share: (Lane) -> BudgetShare) async throws {
        guard let batch = try await batches.read(id) else { return }
        _ = await runner.run(batch, next: nil, budget: share(batch.lane), stragglers: stragglers)
        counters.add(.cleared)
        log.info("batch.cleared", ["batch": id, "deliveries": batch.count])
    }
}
