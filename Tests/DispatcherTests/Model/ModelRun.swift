import DispatchCore

@testable import Dispatcher

/// One seed: load and mischief, healing, an end, and what came of it.
struct ModelRun {
    let seed: UInt64
    let breaches: [String]
    let steps: Int
    let sendings: Int
    let trace: String

    init(seed: UInt64, broken: Set<BrokenRule> = []) {
        let world = ModelWorld(seed: seed, broken: broken)
        let simulation = world.simulation
        for _ in 0...simulation.dice.below(4) { world.startWorker() }
        let mischief = Mischief(in: world)
        world.publishers?.publish(10 + simulation.dice.below(40), within: .seconds(40))
        mischief.run(for: .seconds(60))
        _ = simulation.run(until: .seconds(75))
        mischief.heal()
        let isQuiet = simulation.run(until: .seconds(3_600)) { world.isQuiet }
        world.promises.checkEnd(isQuiet: isQuiet, broker: world.broker, witness: world.gateway.witness)
        self.seed = seed
        breaches = world.promises.breaches
        steps = simulation.steps
        sendings = world.gateway.witness.values.reduce(0) { $0 + $1.count }
        trace = breaches.isEmpty ? "" : simulation.trace
        world.dismantle()
    }

    var report: String { "seed \(seed)\n\(breaches.joined(separator: "\n"))\n\(trace)" }
}
