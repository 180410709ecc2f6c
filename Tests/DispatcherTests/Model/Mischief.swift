import DispatchCore

@testable import Dispatcher

/// What befalls a run: a seed's own choice of faults, as often and as long as its dice say.
final class Mischief {
    enum Kind: CaseIterable {
        case killWorker
        case freezeWorker
        case drainWorker
        case addWorker
        case disconnectWorker
        case restartBroker
        case loseAnnouncements
        case takeDatabaseAway
        case gatewayStorm
        case cancel
    }

    private unowned let world: ModelWorld
    private let kinds: [Kind]
    private let longestPause: Duration

    /// Each kind is in two runs of three: those without it find what it would hide.
    init(in world: ModelWorld) {
        self.world = world
        let simulation = world.simulation
        kinds = Kind.allCases.filter { _ in simulation.chance(660) }
        longestPause = simulation.dice.pick([.seconds(2), .seconds(6), .seconds(15)])
        let rate = simulation.dice.pick([0, 0, 5, 30])
        world.database.failures = rate
        world.database.lostAnswers = simulation.dice.pick([0, 5, 30])
        world.database.slowness = simulation.dice.pick([.zero, .zero, .zero, .milliseconds(400)])
        world.broker.failures = rate
        world.broker.lostConfirms = simulation.dice.pick([0, 5, 50])
        world.gateway.trouble = simulation.dice.pick([0, 20, 100])
        world.gateway.slowness = simulation.dice.pick([.zero, .zero, .milliseconds(400)])
    }

    /// Nothing but this, often.
    init(_ kind: Kind, in world: ModelWorld) {
        self.world = world
        kinds = [kind]
        longestPause = .seconds(3)
    }

    func run(for time: Duration) {
        guard !kinds.isEmpty else { return }
        var at = Duration.zero
        while at < time {
            at += world.simulation.time(.milliseconds(50), longestPause)
            world.simulation.after(at) { [self] in strike(world.simulation.dice.pick(kinds)) }
        }
    }

    /// Nothing goes wrong from here on.
    func heal() {
        world.simulation.note("healed")
        world.database.failures = 0
        world.database.lostAnswers = 0
        world.broker.failures = 0
        world.broker.lostConfirms = 0
        world.gateway.trouble = 0
        world.gateway.slowness = .zero
        world.database.slowness = .zero
        for worker in world.workers { worker.process.thaw() }
        world.profile.isResting = true
    }

    private func strike(_ kind: Kind) {
        let simulation = world.simulation
        simulation.note("strikes: \(kind)")
        switch kind {
        case .killWorker: world.anyWorker?.process.kill()
        case .freezeWorker: freeze()
        case .drainWorker: world.anyWorker?.drain()
        case .addWorker: if world.workers.count < 6 { world.startWorker() }
        case .disconnectWorker:
            if let worker = world.anyWorker {
                world.broker.disconnect(worker.process, for: simulation.time(.zero, .seconds(5)))
            }
        case .restartBroker: world.broker.restart(for: simulation.time(.milliseconds(100), .seconds(10)))
        case .loseAnnouncements: world.broker.purge(simulation.dice.pick(Lane.allCases).batchesQueue)
        case .takeDatabaseAway: world.database.goAway(for: simulation.time(.milliseconds(100), .seconds(25)))
        case .gatewayStorm: storm()
        case .cancel: world.publishers?.cancelOne()
        }
    }

    private func freeze() {
        guard let worker = world.anyWorker else { return }
        let simulation = world.simulation
        let length = simulation.time(.milliseconds(50), .seconds(40))
        worker.process.freeze(for: length)
        guard length > .seconds(30) else { return }
        // The broker has not heard of it for two heartbeats.
        simulation.after(.seconds(30)) { [world] in world.broker.disconnect(worker.process, for: .seconds(1)) }
    }

    private func storm() {
        let before = world.gateway.trouble
        world.gateway.trouble = world.simulation.dice.pick([300, 900])
        world.simulation.after(world.simulation.time(.seconds(1), .seconds(10))) { [world] in
            if world.gateway.trouble > before { world.gateway.trouble = before }
        }
    }
}

extension ModelWorld {
    fileprivate var anyWorker: FakeWorker? { workers.isEmpty ? nil : simulation.dice.pick(workers) }
}

extension FakeWorker {
    /// SIGTERM: takes nothing more, finishes what it has for up to the drain's limit, and leaves.
    func drain() {
        simulation.note("\(process.name) drains")
        for intake in intakes.values { intake.stopTaking() }
        waitForEnd(until: simulation.now + Worker.drainLimit)
    }

    private func waitForEnd(until limit: Timestamp) {
        let isIdle =
            [Lane.high, .normal].allSatisfy { budget($0).inUse == 0 }
            && intakes.values.allSatisfy { $0.outstanding == 0 }
        if isIdle || simulation.now > limit { return leave {} }
        process.after(.milliseconds(100)) { [self] in waitForEnd(until: limit) }
    }
}
