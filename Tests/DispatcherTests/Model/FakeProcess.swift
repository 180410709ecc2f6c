import DispatchCore

/// A process as the others see it: it runs, stands still or is gone.
///
/// Whatever it would do goes through `after`: a frozen one does it when it is thawed, a dead one never.
final class FakeProcess {
    let name: String
    private let simulation: Simulation
    private(set) var isAlive = true
    private var frozenUntil: Timestamp?
    private var onEnd: [() -> Void] = []

    init(_ name: String, in simulation: Simulation) {
        self.name = name
        self.simulation = simulation
    }

    var isFrozen: Bool { frozenUntil.map { $0 > simulation.now } ?? false }

    func after(_ delay: Duration, _ action: @escaping () -> Void) {
        simulation.after(delay) { [self] in act(action) }
    }

    private func act(_ action: @escaping () -> Void) {
        guard isAlive else { return }
        guard let frozenUntil, frozenUntil > simulation.now else { return action() }
        simulation.after(frozenUntil - simulation.now) { [self] in act(action) }
    }

    func freeze(for length: Duration) { frozenUntil = simulation.now + length }
    func thaw() { frozenUntil = nil }

    func kill() {
        guard isAlive else { return }
        isAlive = false
        for action in onEnd { action() }
        onEnd = []
    }

    /// What others notice when it ends: its connections are reset.
    func whenEnded(_ action: @escaping () -> Void) { onEnd.append(action) }
}
