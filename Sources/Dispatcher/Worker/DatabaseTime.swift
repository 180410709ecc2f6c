import DispatchCore

/// The database's time as a process knows it: what was told last, carried on by the process's own clock.
///
/// Pure: the own clock's instants are passed in, as microseconds.
struct DatabaseTime: Sendable {
    /// How far the database's clock is ahead of the own one, in microseconds.
    private(set) var offset: Int64

    init(offset: Int64) {
        self.offset = offset
    }

    func at(_ own: Int64) -> Timestamp { Timestamp(microseconds: own + offset) }

    /// Takes over a time that the database has told between the two instants.
    ///
    /// How old it is when it arrives nobody knows: the process may have been stopped before it read the answer. What is
    /// known already stays unless that would contradict it, so a pause does not set the clock back, and nothing that
    /// has expired is sent after one.
    mutating func synchronise(with time: Timestamp, askedAt: Int64, answeredAt: Int64) {
        let least = time.microseconds - answeredAt
        let most = time.microseconds - askedAt
        offset = min(max(offset, least), most)
    }
}
