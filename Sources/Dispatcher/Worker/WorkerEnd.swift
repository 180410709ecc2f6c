/// How a worker has ended.
enum WorkerEnd: Sendable, Equatable {
    /// Everything begun was finished.
    case drained

    /// The drain took too long; what was left is released to other workers.
    case overdue

    /// A pair of hands on this queue ended by itself; a worker that goes on without it would only seem to work.
    case lostHands(String)
}
