/// The two planners of a worker: an urgent audience is not cut behind a broadcast.
struct AudiencePlanners: Sendable {
    let urgent: AudiencePlanner
    let shared: AudiencePlanner

    subscript(lane: Lane) -> AudiencePlanner { lane == .high ? urgent : shared }

    /// Whether the worker is draining.
    var isStopping: Bool { shared.isStopping }

    func stop() {
        urgent.stop()
        shared.stop()
    }

    /// The plans of `owned` that neither planner knew in this look and in the one before.
    func abandoned(of owned: [Int64]) -> [Int64] {
        let unknownToUrgent = Set(urgent.active.abandoned(of: owned))
        return shared.active.abandoned(of: owned).filter(unknownToUrgent.contains)
    }
}
