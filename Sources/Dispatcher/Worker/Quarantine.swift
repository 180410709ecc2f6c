/// Lets a suspect message be handled while no other message of the process is, so that the one in hand when it dies is the
/// guilty one.
struct Quarantine: Sendable {
    /// More than there are lanes.
    private static let places = 1_000

    private let free = InFlightBudget(capacity: places)

    /// Waits, first come first served: for everybody else to leave when `isAlone`, else for one who is alone.
    func enter(isAlone: Bool) async { await free.acquire(isAlone ? Self.places : 1) }

    func leave(isAlone: Bool) { free.release(isAlone ? Self.places : 1) }
}
