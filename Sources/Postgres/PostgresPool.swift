import Synchronization

/// A fixed number of connections, opened when needed and lent to one task at a time, first come first served.
///
/// A broken connection is replaced by the next borrower, through the gate that the pools of a process share: one try at a
/// time, and when it fails the others get the same error at once. Nothing is retried here: the errors' `policy` tells
/// callers what to do. A connection that rested for a second is looked at before it is lent; after 30, the server is asked.
public final class PostgresPool: Sendable {
    typealias Grant = PoolGrant<PostgresConnection>
    typealias Member = PoolMember<PostgresConnection>

    private struct Guarded {
        var pool: PoolState<PostgresConnection, CheckedContinuation<Grant, Never>>
        var nextWaiter: UInt64 = 0
        var closers: [CheckedContinuation<Void, Never>] = []
    }

    private let configuration: PostgresConfiguration
    private let onEvent: @Sendable (PostgresEvent) -> Void
    private let maximumAge: UInt64
    private let gate: ConnectGate
    private let state: Mutex<Guarded>

    private static let secondOfRest: UInt64 = 1_000_000_000
    private static let longRest: UInt64 = 30_000_000_000

    /// Makes a pool; nothing is opened yet.
    ///
    /// Connections older than `maximumAge` are closed when they come back, which lets sessions move after a failover. Pools
    /// of one server share a `gate`, so that they do not all try to connect while it is away.
    public init(
        configuration: PostgresConfiguration,
        size: Int,
        maximumAge: Duration = .seconds(1800),
        gate: ConnectGate = ConnectGate(),
        onEvent: @escaping @Sendable (PostgresEvent) -> Void = { _ in }
    ) {
        self.configuration = configuration
        self.onEvent = onEvent
        self.gate = gate
        self.maximumAge = UInt64(max(1, maximumAge.components.seconds)) * 1_000_000_000
        state = Mutex(Guarded(pool: PoolState(size: size)))
    }

    /// Lends a connection and runs the body with its session.
    public func withSession<R: Sendable>(
        _ body: @Sendable (borrowing PostgresSession) throws(PostgresError) -> R
    ) async throws(PostgresError) -> R {
        let member = try await lease()
        defer { release(member) }
        return try await member.connection.withSession(body)
    }

    /// The same for a body that throws errors of its own.
    public func withThrowingSession<R: Sendable>(
        _ body: @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        let member = try await lease()
        defer { release(member) }
        return try await member.connection.withThrowingSession(body)
    }

    /// Lends a connection for several sessions in a row.
    public func withConnection<R: Sendable>(
        _ body: (PostgresConnection) async throws -> R
    ) async throws -> R {
        let member = try await lease()
        defer { release(member) }
        return try await body(member.connection)
    }

    /// Turns waiters away, closes what rests and waits until everything lent has come back and is closed.
    public func close() async {
        let (waiters, idle) = state.withLock { $0.pool.close() }
        for waiter in waiters { waiter.resume(returning: .closed) }
        for connection in idle { await connection.close() }
        await withCheckedContinuation { closer in
            let isDrained = state.withLock { state in
                if state.pool.total == 0 { return true }
                state.closers.append(closer)
                return false
            }
            if isDrained { closer.resume() }
        }
    }

    /// How many callers wait for a connection.
    public var waiterCount: Int { state.withLock { $0.pool.waiterCount } }

    // MARK: Lending

    private func lease() async throws(PostgresError) -> Member {
        while true {
            switch await grant() {
            case .member(let member):
                if await isGood(member) { return member }
                await member.connection.close()
                // The place is still ours: open another in it.
                return try await open()
            case .open:
                return try await open()
            case .cancelled:
                throw PostgresError(.cancelled, operation: "wait for a connection")
            case .closed:
                throw PostgresError(.connection, operation: "use a closed pool")
            case .wait:
                continue
            }
        }
    }

    private func open() async throws(PostgresError) -> Member {
        do throws(PostgresError) {
            try await gate.enter()
        } catch {
            giveUp()
            throw error
        }
        do throws(PostgresError) {
            let connection = try await PostgresConnection.connect(configuration, onEvent: onEvent)
            gate.succeed()
            let now = Deadline.now()
            return Member(connection: connection, born: now, lastUse: now)
        } catch {
            gate.fail(error)
            giveUp()
            throw error
        }
    }

    private func isGood(_ member: Member) async -> Bool {
        if member.connection.isBroken { return false }
        let rest = Deadline.now() - member.lastUse
        if rest < Self.secondOfRest { return true }
        return await member.connection.isAlive(thoroughly: rest > Self.longRest)
    }

    private func grant() async -> Grant {
        if Task.isCancelled { return .cancelled }
        let (grant, id) = state.withLock { state in
            state.nextWaiter += 1
            return (state.pool.take(), state.nextWaiter)
        }
        guard case .wait = grant else { return grant }
        return await wait(as: id)
    }

    private func wait(as id: UInt64) async -> Grant {
        let grant = await withTaskCancellationHandler {
            await withCheckedContinuation { waiter in
                if let grant = state.withLock({ $0.pool.enqueue(id, waiter) }) { waiter.resume(returning: grant) }
            }
        } onCancel: {
            state.withLock { $0.pool.abandon(id) }?.resume(returning: .cancelled)
        }
        state.withLock { $0.pool.settle(id) }
        return grant
    }

    // MARK: Taking back

    private func release(_ member: Member) {
        var member = member
        member.lastUse = Deadline.now()
        if member.connection.isBroken || member.lastUse - member.born > maximumAge {
            // Nobody else holds it: it is finished when `member` goes.
            return giveUp()
        }
        let (waiter, isKept) = state.withLock { $0.pool.giveBack(member) }
        waiter?.resume(returning: .member(member))
        if !isKept { finishClosing() }
    }

    private func giveUp() {
        state.withLock { $0.pool.giveUp() }?.resume(returning: .open)
        finishClosing()
    }

    private func finishClosing() {
        let closers = state.withLock { state in
            guard state.pool.isClosed, state.pool.total == 0 else { return [CheckedContinuation<Void, Never>]() }
            defer { state.closers.removeAll() }
            return state.closers
        }
        for closer in closers { closer.resume() }
    }
}
