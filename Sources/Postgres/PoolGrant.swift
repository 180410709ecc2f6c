/// A connection of a pool and the moments that decide whether it is still good, in nanoseconds of the monotonic clock.
struct PoolMember<Connection> {
    let connection: Connection
    let born: UInt64
    /// The end of the last use.
    var lastUse: UInt64
}

/// What a pool answers to a caller.
enum PoolGrant<Connection> {
    /// A connection that was made before.
    case member(PoolMember<Connection>)
    /// The right to open one more.
    case open
    /// All are in use.
    case wait
    /// The caller was cancelled.
    case cancelled
    /// The pool is closed.
    case closed
}

extension PoolMember: Sendable where Connection: Sendable {}
extension PoolGrant: Sendable where Connection: Sendable {}
