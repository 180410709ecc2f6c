/// Who holds which connection and who waits; asked and told under the pool's lock, it does nothing itself.
///
/// `Connection` and `Waiter` are open so that the rules can be tested without a server.
struct PoolState<Connection, Waiter> {
    private let size: Int
    private var idle: [PoolMember<Connection>] = []
    private var waiters: [(id: UInt64, waiter: Waiter)] = []
    private var abandoned: Set<UInt64> = []
    /// Connections lent, idle or being opened.
    private(set) var total = 0
    private(set) var isClosed = false

    init(size: Int) {
        self.size = max(1, size)
    }

    /// The number of callers in the queue.
    var waiterCount: Int { waiters.count }

    /// Asks for a connection; the latest used one comes first, so that surplus ones grow old.
    mutating func take() -> PoolGrant<Connection> {
        if isClosed { return .closed }
        if let latest = idle.popLast() { return .member(latest) }
        guard total < size else { return .wait }
        total += 1
        return .open
    }

    /// Queues a caller that was told to wait; answers what it gets at once if things changed meanwhile.
    mutating func enqueue(_ id: UInt64, _ waiter: Waiter) -> PoolGrant<Connection>? {
        if abandoned.remove(id) != nil { return .cancelled }
        let grant = take()
        guard case .wait = grant else { return grant }
        waiters.append((id, waiter))
        return nil
    }

    /// Takes a cancelled caller out of the queue; if it is not there yet, it will be turned away.
    mutating func abandon(_ id: UInt64) -> Waiter? {
        guard let index = waiters.firstIndex(where: { $0.id == id }) else {
            abandoned.insert(id)
            return nil
        }
        return waiters.remove(at: index).waiter
    }

    /// Forgets a caller that has its answer.
    mutating func settle(_ id: UInt64) {
        abandoned.remove(id)
    }

    /// Takes a usable connection back: the first waiter gets it, or it rests; not kept once the pool is closed.
    mutating func giveBack(_ member: PoolMember<Connection>) -> (waiter: Waiter?, isKept: Bool) {
        if isClosed {
            total -= 1
            return (nil, false)
        }
        if !waiters.isEmpty { return (waiters.removeFirst().waiter, true) }
        idle.append(member)
        return (nil, true)
    }

    /// Takes back the place of a connection that is gone: the first waiter gets the right to open another.
    mutating func giveUp() -> Waiter? {
        guard waiters.isEmpty else { return waiters.removeFirst().waiter }
        total -= 1
        return nil
    }

    /// Closes the door; answers whom to turn away and what to close.
    mutating func close() -> (waiters: [Waiter], idle: [Connection]) {
        isClosed = true
        total -= idle.count
        defer {
            waiters.removeAll()
            idle.removeAll()
        }
        return (waiters.map(\.waiter), idle.map(\.connection))
    }
}
