import DispatchCore
import Postgres

/// Turns a wave of valid jobs into committed work.
struct WavePlanner: Sendable {
    let store: WaveStore
    let clock: DatabaseClock

    /// Another worker may insert the same job between our look and our commit; the second look then finds it.
    private static let maximumTries = 5

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
        guard !draft.accepted.isEmpty else { return WavePlan(rejections: draft.rejections) }
        let ids = try await store.commit(draft, lane: lane)
        return WavePlan(
            batches: zip(ids, draft.batches).map { id, range in batch(id, draft.accepted[range], lane: lane) },
            large: draft.accepted.filter(\.isDue).map { $0.plan(lane: lane) },
            rejections: draft.rejections
        )
    }

    private func batch(_ id: Int64, _ accepted: ArraySlice<WaveDraft.Accepted>, lane: Lane) -> BatchWork {
        let parts = accepted.filter { !$0.targets.isEmpty }
            .map { BatchWork.Part(notification: $0.work, targets: $0.targets) }
        return BatchWork(id: id, epoch: 1, lane: lane, isAmbiguous: false, isRetry: false, parts: parts)
    }
}

extension WaveDraft.Accepted {
    func plan(lane: Lane) -> PlanWork {
        PlanWork(
            notification: id,
            hub: wave.hub.id,
            lane: lane,
            audience: wave.job.audience,
            platformMask: wave.job.platformMask,
            inbox: inbox,
            isByDevice: wave.job.isByDevice,
            epoch: 1
        )
    }
}
