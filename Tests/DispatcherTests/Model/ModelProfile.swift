import DispatchCore

@testable import Dispatcher

/// The sizes of a run: those of the program made small, in the same proportions.
final class ModelProfile {
    var sharedBudget = 32
    var urgentBudget = 16
    var batchesPerPage = 2
    var retriesPerTick = 60
    var limits = GatewayLimits()
    var policy = RetryPolicy()

    /// With nothing that could go wrong any more, nobody has to look four times a second at an empty table.
    var isResting = false

    func batchLimit(_ lane: Lane) -> Int { lane == .high ? 8 : 16 }
    func waveLimit(_ lane: Lane) -> Int { lane == .high ? 5 : 10 }

    /// How long until the schedule is looked at again.
    func tick(_ database: FakeDatabase, _ now: Timestamp) -> Duration {
        guard isResting else { return Scheduler.tick }
        let due = database.retries.values.map(\.dueAt) + database.plans.values.map(\.dueAt)
        let wait = (due.min() ?? now + .seconds(10)) - now
        return max(Scheduler.tick, min(wait, .seconds(10)))
    }
}
