import Postgres

/// Turns a wave of valid jobs into committed work.
struct WavePlanner: Sendable {
    let store: WaveStore
    let clock: DatabaseClock

    /// Another worker may insert the same job between our look and our commit; the second look then finds it.
    static let maximumTries = 5

    /// Plans the wave and commits the plan; after it returns, the wave's messages may be acknowledged.
    func plan(_ jobs: [WaveJob], lane: Lane) async throws -> WavePlan {
        var tries = 0
        while true {
            do {
                return try await planOnce(jobs, lane: lane)
            } catch let error as PostgresError where error.sqlState == "23505" && tries < Self.maximumTries {
                tries += 1
            }
        }
    }

    private func planOnce(_ jobs: [WaveJob], lane: Lane) async throws -> WavePlan {
        let resolved = try await store.resolve(jobs)
        let draft = WaveDraft(
            jobs,
            resolved: resolved,
            queue: lane.jobsQueue,
            batchLimit: LaneProfile.of(lane).batchLimit,
            now: clock.now
        )
        guard !draft.accepted.isEmpty else {
            return WavePlan(rejections: draft.rejections, repeated: draft.repeated)
        }
        let ids = try await store.commit(draft, lane: lane)
        return WavePlan(draft, ids: ids, lane: lane)
    }
}
