import DispatchCore

@testable import Dispatcher

/// One seed of promise 5: urgent jobs for single users while more is sent to everybody than the workers can.
struct UrgentRun {
    /// From the confirm of each urgent job to the first push.
    let waits: [Duration]

    /// The least work for everybody that stood open when an urgent job came.
    let leastBacklog: Int

    private static let urgentJobs = 16

    init(seed: UInt64, broken: Set<BrokenRule> = []) {
        let world = ModelWorld(seed: seed, broken: broken)
        let simulation = world.simulation
        world.gateway.slowness = .milliseconds(900)
        for _ in 0...simulation.dice.below(2) { world.startWorker() }
        world.publishers?.broadcast(60, within: .seconds(3))
        var urgent: [ModelJob] = []
        var backlogs: [Int] = []
        for number in 0..<Self.urgentJobs {
            let delay = Duration.seconds(6) + .milliseconds(400 * number) + simulation.time(.zero, .milliseconds(100))
            let lane: Lane = broken.contains(.urgentAmongBulk) ? .bulk : .high
            let job = ModelJob.urgent(&simulation.dice, user: simulation.dice.below(ModelWorld.users), lane: lane)
            urgent.append(job)
            world.publishers?.publish(job, in: delay)
            simulation.after(delay) { backlogs.append(world.database.data.batches.count) }
        }
        _ = simulation.run(until: .seconds(60))
        waits = urgent.map { world.wait(of: $0) ?? .seconds(3_600) }
        leastBacklog = backlogs.min() ?? 0
        world.dismantle()
    }
}

extension ModelWorld {
    /// Nil while nothing was sent.
    fileprivate func wait(of job: ModelJob) -> Duration? {
        let identity = WaveIdentity(job: job.id, hub: Self.hub.id)
        guard let confirmed = promises.confirmed.first(where: { $0.job.id == job.id })?.at,
            let notification = database.data.identities[identity], let sent = promises.firstSending[notification]
        else { return nil }
        return sent - confirmed
    }
}
