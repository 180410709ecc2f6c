import DispatchCore

@testable import Dispatcher

/// The server and the wire to it: a transaction may fail before it is in, or be in without its client hearing of it.
final class FakeDatabaseServer {
    var data: FakeDatabase
    private let simulation: Simulation

    /// Per mille of the transactions that fail before they are committed, and of the answers that are lost.
    var failures = 0
    var lostAnswers = 0

    /// How much longer than usual each way may take.
    var slowness = Duration.zero
    private var awayUntil: Timestamp?

    /// Why a client got no answer.
    struct Lost: Error {}

    init(_ data: FakeDatabase, in simulation: Simulation) {
        self.data = data
        self.simulation = simulation
    }

    var isAway: Bool { awayUntil.map { $0 > simulation.now } ?? false }

    func goAway(for length: Duration) { awayUntil = simulation.now + length }

    /// Sends a transaction; `reply` hears what the client hears, if the client is still there.
    func call<Value>(
        from process: FakeProcess,
        over pool: FakePool,
        _ name: @autoclosure @escaping () -> String,
        _ step: @escaping (inout FakeDatabase) throws -> Value,
        _ reply: @escaping (Result<Value, any Error>) -> Void
    ) {
        pool.enter { [self] in
            simulation.after(way) { [self] in
                let (answer, isHeard) = execute(from: process, name, step)
                let delay = isHeard ? way : simulation.time(.milliseconds(1), .seconds(2))
                process.after(delay) {
                    pool.leave()
                    reply(isHeard ? answer : .failure(Lost()))
                }
            }
        }
    }

    private var way: Duration { simulation.latency() + simulation.time(.zero, slowness) }

    private func execute<Value>(
        from process: FakeProcess,
        _ name: () -> String,
        _ step: (inout FakeDatabase) throws -> Value
    ) -> (Result<Value, any Error>, isHeard: Bool) {
        // What a killed process had on the wire arrives, or does not.
        let hasArrived = process.isAlive || simulation.chance(500)
        guard hasArrived, !isAway, !simulation.chance(failures) else {
            simulation.note("\(process.name) \(name()): not done")
            return (.failure(Lost()), false)
        }
        data.now = simulation.now
        data.history.begun = []
        let answer = Result { try step(&data) }
        let isHeard = !simulation.chance(lostAnswers)
        data.history.hear(isHeard)
        let word = answer.word
        if !isHeard || !word.isEmpty {
            simulation.note("\(process.name) \(name()): \(word)\(isHeard ? "" : ", answer lost")")
        }
        return (answer, isHeard)
    }
}

/// The connections of a process: who finds none waits, first come first served.
final class FakePool {
    private var queue: BudgetQueue<() -> Void>

    init(size: Int) { queue = BudgetQueue(capacity: size) }

    func enter(_ action: @escaping () -> Void) {
        if queue.acquire(1, for: action) { action() }
    }

    func leave() {
        for waiter in queue.release(1) { waiter() }
    }
}

extension Result {
    /// What was answered, in short; empty when nothing was done.
    fileprivate var word: String {
        switch self {
        case .success(let found as [FakeDatabase.Announcement]):
            found.map { "b\($0.id) (\($0.size))" }.joined(separator: ", ")
        case .success(let batch as BatchWork?): batch.map { "b\($0.id).\($0.epoch) (\($0.count))" } ?? ""
        case .success(let plan as PlanWork?): plan.map { "n\($0.notification.rawValue & 0xF_FFFF_FFFF)" } ?? ""
        case .success(let page as [PlanStore.PlannedBatch]):
            page.map { "b\($0.id) (\($0.size))" }.joined(separator: ", ")
        case .success(let answer as FakeDatabase.RecordAnswer): answer == .late ? "late" : "done"
        case .success(is [Int64]), .success(is Timestamp): ""
        case .success: "done"
        case .failure(let error): "refused: \(error)"
        }
    }
}
