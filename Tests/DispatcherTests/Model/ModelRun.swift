import DispatchCore

@testable import Dispatcher

/// One seed: load and mischief, healing, an end, and what came of it.
struct ModelRun {
    let seed: UInt64
    let breaches: [String]
    let steps: Int
    let sendings: Int

    /// The most deliveries that a lost worker has left in doubt.
    let greatestLoss: Int
    let trace: String

    /// What a run is mostly about.
    enum Scenario: CaseIterable {
        /// Anything may happen.
        case anything

        /// More than a worker has room for, a slow gateway, and workers that are killed.
        case crowd

        /// Short lives of notifications, a slow database, and workers that stand still.
        case frost
    }

    init(seed: UInt64, _ scenario: Scenario = .anything, broken: Set<BrokenRule> = []) {
        let world = ModelWorld(seed: seed, broken: broken)
        let simulation = world.simulation
        let mischief = Self.begin(scenario, in: world)
        mischief.run(for: .seconds(60))
        _ = simulation.run(until: .seconds(75))
        mischief.heal()
        let isQuiet = simulation.run(until: .seconds(3_600)) { world.isQuiet }
        world.promises.checkEnd(isQuiet: isQuiet, broker: world.broker, witness: world.gateway.witness)
        self.seed = seed
        breaches = world.promises.breaches
        steps = simulation.steps
        sendings = world.gateway.witness.values.reduce(0) { $0 + $1.count }
        greatestLoss = world.database.data.history.losses.map(\.deliveries).max() ?? 0
        trace = breaches.isEmpty ? "" : simulation.trace
        world.dismantle()
    }

    private static func begin(_ scenario: Scenario, in world: ModelWorld) -> Mischief {
        let simulation = world.simulation
        for _ in 0...simulation.dice.below(4) { world.startWorker() }
        switch scenario {
        case .anything:
            world.publishers?.publish(10 + simulation.dice.below(40), within: .seconds(40))
            if simulation.chance(150) { world.publishers?.broadcast(10, within: .seconds(15)) }
            return Mischief(in: world)
        case .crowd:
            world.gateway.slowness = .milliseconds(400)
            world.publishers?.publish(30, within: .seconds(20))
            world.publishers?.broadcast(20, within: .seconds(20))
            return Mischief(.killWorker, in: world)
        case .frost:
            world.database.slowness = .milliseconds(400)
            world.publishers?.publish(80, within: .seconds(50))
            return Mischief(.freezeWorker, in: world)
        }
    }

    var report: String { "seed \(seed)\n\(breaches.joined(separator: "\n"))\n\(trace)" }
}
