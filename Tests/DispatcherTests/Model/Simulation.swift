import DispatchCore

/// Time, dice and what is to happen: everything of a run that is not decided by these is decided by the code.
///
/// One seed is one run. The order of what is due at the same instant is the order in which it was asked for.
final class Simulation {
    private(set) var now: Timestamp
    var dice: SplitMix
    private(set) var steps = 0
    private var agenda = Agenda()
    private var lines: [String] = []
    private let start: Timestamp

    /// The lines that a failing run prints.
    private static let longestTrace = 400

    init(seed: UInt64, start: Timestamp) {
        self.start = start
        now = start
        dice = SplitMix(seed: seed)
    }

    /// What has passed since the beginning.
    var elapsed: Duration { now - start }

    func after(_ delay: Duration, _ action: @escaping () -> Void) {
        agenda.add(at: now + delay, action)
    }

    /// Runs until the condition holds, nothing is left or the time is over; answers whether the condition holds.
    func run(until limit: Duration, _ condition: () -> Bool = { false }) -> Bool {
        while !condition() {
            guard let next = agenda.next(before: start + limit) else {
                now = max(now, start + limit)
                return condition()
            }
            now = next.at
            steps += 1
            next.action()
        }
        return true
    }

    /// Drops what is still to happen, and with it everything that it holds.
    func dismantle() { agenda = Agenda() }

    func note(_ text: @autoclosure () -> String) {
        let seconds = Double(elapsed.microseconds) / 1_000_000
        lines.append("\(seconds) \(text())")
        if lines.count > 2 * Self.longestTrace { lines.removeFirst(Self.longestTrace) }
    }

    /// The last lines, for a failure.
    var trace: String { lines.suffix(Self.longestTrace).joined(separator: "\n") }

    /// The lines about something, however long ago.
    func lines(about text: String) -> [String] { lines.filter { $0.contains(text) } }
}

extension Simulation {
    /// A time between the two bounds, drawn evenly.
    func time(_ least: Duration, _ most: Duration) -> Duration {
        .microseconds(Int64.random(in: least.microseconds...most.microseconds, using: &dice))
    }

    /// How long a step between two machines takes: mostly short, now and then long.
    func latency() -> Duration {
        dice.below(20) == 0 ? time(.milliseconds(5), .milliseconds(80)) : time(.microseconds(100), .milliseconds(3))
    }

    /// True in so many of a thousand.
    func chance(_ perMille: Int) -> Bool { dice.below(1000) < perMille }
}
