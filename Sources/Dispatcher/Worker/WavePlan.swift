import DispatchCore

/// What a wave became once its plan is committed.
struct WavePlan: Sendable {
    /// Small audiences, packed.
    ///
    /// The first batch is begun (its intent is committed); the others are begun in turn.
    var batches: [BatchWork] = []

    /// Audiences still to be cut into published batches.
    var large: [PlanWork] = []

    /// Valid jobs that contradict what is stored.
    var rejections: [Rejection] = []

    /// New notifications.
    var accepted = 0

    /// Jobs that were accepted before, or twice in the wave.
    var repeated = 0
}

extension WavePlan {
    /// The work of a committed draft; `ids` are those of its batches' rows.
    init(_ draft: WaveDraft, ids: [Int64], lane: Lane) {
        batches = zip(ids, draft.batches).map { Self.batch($0, draft.accepted[$1], lane: lane) }
        large = draft.accepted.filter(\.isDue).map { $0.plan(lane: lane) }
        rejections = draft.rejections
        accepted = draft.accepted.count
        repeated = draft.repeated
    }

    private static func batch(_ id: Int64, _ accepted: ArraySlice<WaveDraft.Accepted>, lane: Lane) -> BatchWork {
        let parts = accepted.filter { !$0.targets.isEmpty }
            .map { BatchWork.Part(notification: $0.work, targets: $0.targets) }
        return BatchWork(id: id, epoch: 1, lane: lane, isAmbiguous: false, isRetry: false, parts: parts)
    }
}

extension WaveDraft.Accepted {
    fileprivate func plan(lane: Lane) -> PlanWork {
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
