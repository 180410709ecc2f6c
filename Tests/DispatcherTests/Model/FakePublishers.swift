import DispatchCore

@testable import Dispatcher

/// Services that publish jobs and repeat what is not confirmed, and people who cancel.
final class FakePublishers {
    private unowned let world: ModelWorld
    private let process: FakeProcess
    private let pool = FakePool(size: 4)
    private var open = 0
    private(set) var jobs: [ModelJob] = []

    init(in world: ModelWorld) {
        self.world = world
        process = FakeProcess("people", in: world.simulation)
    }

    var isDone: Bool { open == 0 }

    /// Publishes after a while, until it is confirmed.
    func publish(_ job: ModelJob, in delay: Duration = .zero, through lane: Lane? = nil) {
        open += 1
        jobs.append(job)
        process.after(delay) { [self] in attempt(job, lane ?? job.lane) }
    }

    private func attempt(_ job: ModelJob, _ lane: Lane) {
        world.broker.publish(from: process, to: lane.jobsQueue, job.body) { [self] isConfirmed in
            let simulation = world.simulation
            guard isConfirmed else {
                return process.after(simulation.time(.milliseconds(10), .seconds(1))) { self.attempt(job, lane) }
            }
            simulation.note("job \(job.id) is confirmed in \(lane.name)")
            world.promises.confirm(job, at: simulation.now)
            open -= 1
        }
    }

    /// Random jobs for so long; now and then the same one again, with the same body or another, through any lane.
    func publish(_ count: Int, within time: Duration) {
        let simulation = world.simulation
        for _ in 0..<count {
            let delay = simulation.time(.zero, time)
            let job = ModelJob.random(&simulation.dice, now: simulation.now + delay, users: ModelWorld.users)
            publish(job, in: delay)
            guard simulation.chance(200) else { continue }
            let again = simulation.chance(300) ? job.contradiction : job
            let lane = simulation.chance(300) ? simulation.dice.pick(Lane.allCases) : job.lane
            publish(again, in: delay + simulation.time(.zero, .seconds(20)), through: lane)
        }
    }

    /// More for everybody than a worker has room for.
    func broadcast(_ count: Int, within time: Duration) {
        let simulation = world.simulation
        for _ in 0..<count {
            let job = ModelJob.broadcast(&simulation.dice, simulation.dice.pick([.normal, .bulk]))
            publish(job, in: simulation.time(.zero, time))
        }
    }

    /// Cancels one of the jobs by one of the two ways there are.
    func cancelOne() {
        guard !jobs.isEmpty else { return }
        let job = world.simulation.dice.pick(jobs)
        let isWithdrawn = world.simulation.chance(500)
        world.database.call(
            from: process,
            over: pool,
            "cancel \(job.id)",
            { isWithdrawn ? $0.withdraw(job.id) == .cancelled : $0.cancel(job.id) },
            { _ in }
        )
    }
}
