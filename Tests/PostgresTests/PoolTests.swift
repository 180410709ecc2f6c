import Dispatch
import Glibc
import Synchronization
import Testing

@testable import Postgres

@Suite("Pool", .enabled(if: TestDatabase.isAvailable), .timeLimit(.minutes(4)))
struct PoolTests {
    private func pool(_ size: Int, onEvent: @escaping @Sendable (PostgresEvent) -> Void = { _ in }) throws
        -> PostgresPool
    {
        try PostgresPool(configuration: TestDatabase.configuration(), size: size, onEvent: onEvent)
    }

    private func waitForWaiters(_ count: Int, of pool: PostgresPool) async {
        while pool.waiterCount != count { await Task.yield() }
    }

    /// Lends the pool's only connection until told to let go.
    private func occupy(_ pool: PostgresPool) async -> (
        task: Task<Void, any Error>, release: AsyncStream<Void>.Continuation
    ) {
        let held = AsyncStream<Void>.makeStream()
        let release = AsyncStream<Void>.makeStream()
        let task = Task {
            try await pool.withConnection { _ in
                held.continuation.yield()
                for await _ in release.stream { break }
            }
        }
        for await _ in held.stream { break }
        return (task, release.continuation)
    }

    private static func backend(_ session: borrowing PostgresSession) throws(PostgresError) -> Int32 {
        try session.execute(PostgresStatement("SELECT pg_backend_pid()")).int4(0, 0)
    }

    @Test("waiters are served in the order they came")
    func fifo() async throws {
        let pool = try pool(1)
        let holder = await occupy(pool)
        let order = Recorder<Int>()
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<5 {
                group.addTask {
                    try await pool.withConnection { _ in order.append(number) }
                }
                await waitForWaiters(number + 1, of: pool)
            }
            holder.release.yield()
            try await group.waitForAll()
        }
        #expect(order.values == [0, 1, 2, 3, 4])
        try await holder.task.value
        await pool.close()
    }

    @Test("a cancelled waiter leaves the queue and the others are served")
    func cancelledWaiter() async throws {
        let pool = try pool(1)
        let holder = await occupy(pool)
        let cancelled = Task {
            await failure { () async throws(PostgresError) in
                try await pool.withSession { session throws(PostgresError) in try Self.backend(session) }
            }
        }
        await waitForWaiters(1, of: pool)
        let other = Task {
            try await pool.withSession { session throws(PostgresError) in try Self.backend(session) }
        }
        await waitForWaiters(2, of: pool)
        cancelled.cancel()
        #expect(await cancelled.value?.kind == .cancelled)
        await waitForWaiters(1, of: pool)
        holder.release.yield()
        #expect(try await other.value > 0)
        try await holder.task.value
        await pool.close()
    }

    @Test("a terminated connection costs one error and is replaced")
    func replacement() async throws {
        let events = Recorder<PostgresEvent>()
        let pool = try pool(1) { events.append($0) }
        let first = try await pool.withConnection { connection in
            let backend = try await connection.withSession { session throws(PostgresError) in
                try Self.backend(session)
            }
            try await TestDatabase.withConnection { killer in
                try await killer.withSession { session throws(PostgresError) in
                    _ = try session.execute(
                        PostgresStatement("SELECT pg_terminate_backend($1, 5000)", [.int4(backend)])
                    )
                }
            }
            let error = await failure { () async throws(PostgresError) in
                try await connection.withSession { session throws(PostgresError) in try Self.backend(session) }
            }
            #expect(error?.policy == .reconnect)
            #expect(error?.kind == .connection)
            return backend
        }
        let second = try await pool.withSession { session throws(PostgresError) in try Self.backend(session) }
        #expect(second != first)
        let losses = events.values.filter { if case .connectionLost = $0 { true } else { false } }
        #expect(losses.count == 1)
        #expect(events.values.filter { $0 == .connected }.count == 2)
        await pool.close()
    }

    @Test("eight tasks share two connections")
    func shared() async throws {
        let pool = try pool(2)
        let backends = try await withThrowingTaskGroup(of: Set<Int32>.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    var seen: Set<Int32> = []
                    for _ in 0..<50 {
                        let backend = try await pool.withSession { session throws(PostgresError) in
                            try Self.backend(session)
                        }
                        seen.insert(backend)
                    }
                    return seen
                }
            }
            return try await group.reduce(into: Set<Int32>()) { $0.formUnion($1) }
        }
        #expect(backends.count == 2)
        await pool.close()
    }

    @Test("a failing connect gives its place to the next caller")
    func failingConnect() async throws {
        let configuration = try TestDatabase.configuration(host: "host=127.0.0.1 port=1")
        let pool = PostgresPool(configuration: configuration, size: 1)
        for _ in 0..<3 {
            let error = await failure { () async throws(PostgresError) in
                try await pool.withSession { session throws(PostgresError) in try Self.backend(session) }
            }
            #expect(error?.operation == "connect")
        }
        await pool.close()
    }

    @Test("closing turns waiters away and waits for what is lent")
    func close() async throws {
        let pool = try pool(1)
        let holder = await occupy(pool)
        let waiter = Task {
            await failure { () async throws(PostgresError) in
                try await pool.withSession { session throws(PostgresError) in try Self.backend(session) }
            }
        }
        await waitForWaiters(1, of: pool)
        let closing = Task { await pool.close() }
        #expect(await waiter.value?.kind == .connection)
        holder.release.yield()
        await closing.value
        try await holder.task.value
    }

    @Test("sessions that wait take no thread from the rest of the program")
    func threads() async throws {
        let count = min(2 * sysconf(Int32(_SC_NPROCESSORS_ONLN)) + 2, 60)
        let pool = try pool(count)
        let gate = Gate()
        let opened = try await withThrowingTaskGroup(of: Bool.self) { group in
            for _ in 0..<count {
                group.addTask { try await pool.withSession { _ throws(PostgresError) in gate.wait() } }
            }
            // Comes to an end only if it gets a thread while all of them wait.
            while gate.waiting < count { try await Task.sleep(for: .milliseconds(1)) }
            gate.open(for: count)
            return try await group.reduce(into: []) { $0.append($1) }
        }
        #expect(opened.count == count && opened.allSatisfy(\.self))
        await pool.close()
    }

    private final class Gate: Sendable {
        private let semaphore = DispatchSemaphore(value: 0)
        private let count = Atomic<Int>(0)

        var waiting: Int { count.load(ordering: .relaxed) }

        /// Blocks its thread, as a database that says nothing does; answers whether the gate was opened in time.
        func wait() -> Bool {
            count.add(1, ordering: .relaxed)
            return semaphore.wait(timeout: .now() + 20) == .success
        }

        func open(for count: Int) {
            for _ in 0..<count { semaphore.signal() }
        }
    }

    @Test("errors of the body's own pass through")
    func ownErrors() async throws {
        let pool = try pool(1)
        await #expect(throws: CancellationError.self) {
            try await pool.withThrowingSession { _ in throw CancellationError() }
        }
        await pool.close()
    }
}
