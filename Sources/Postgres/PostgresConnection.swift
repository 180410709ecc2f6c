/// One connection to the server on an executor of its own.
///
/// A cancelled task ends a running call by losing the connection: libpq 15 can cancel only over a second connection
/// that blocks without a time limit and is never encrypted. The server ends the statement when it notices.
public actor PostgresConnection {
    private let executor: QueueExecutor
    private nonisolated let interruption = Interruption()
    private var handle: PostgresHandle?
    private var onEvent: @Sendable (PostgresEvent) -> Void = { _ in }

    /// Where the session's closures run.
    public nonisolated var unownedExecutor: UnownedSerialExecutor { executor.asUnownedSerialExecutor() }

    private init() {
        executor = QueueExecutor(label: "postgres connection")
    }

    /// Connects and sets the session up, within the configuration's `connectDeadline`.
    public static func connect(
        _ configuration: PostgresConfiguration,
        onEvent: @escaping @Sendable (PostgresEvent) -> Void = { _ in }
    ) async throws(PostgresError) -> PostgresConnection {
        let connection = PostgresConnection()
        do throws(PostgresError) {
            try await connection.open(configuration, onEvent)
        } catch {
            onEvent(.connectionLost(error))
            throw error
        }
        onEvent(.connected)
        return connection
    }

    private func open(
        _ configuration: PostgresConfiguration,
        _ onEvent: @escaping @Sendable (PostgresEvent) -> Void
    ) throws(PostgresError) {
        handle = try PostgresHandle.connect(configuration, interruption: interruption, onEvent: onEvent)
        self.onEvent = onEvent
    }

    /// Whether it can no longer be used.
    public nonisolated var isBroken: Bool { interruption.isOver }

    /// Runs the body with the session: a whole transaction is one hop.
    ///
    /// A transaction the body leaves open is rolled back.
    public nonisolated func withSession<R: Sendable>(
        _ body: @Sendable (borrowing PostgresSession) throws(PostgresError) -> R
    ) async throws(PostgresError) -> R {
        try await interruptibly { handle in
            Result { () throws(PostgresError) in try body(PostgresSession(handle)) }
        }.get()
    }

    /// The same for a body that throws errors of its own.
    public nonisolated func withThrowingSession<R: Sendable>(
        _ body: @Sendable (borrowing PostgresSession) throws -> R
    ) async throws -> R {
        try await interruptibly { handle in Result { try body(PostgresSession(handle)) } }.get()
    }

    /// Calls the actor from inside the handler, from outside of the actor.
    ///
    /// A handler's operation runs on the cooperative pool even where it stands in an actor's method (Swift 6.3); a body
    /// that waited there would take one of the pool's few threads.
    private nonisolated func interruptibly<R: Sendable, E: Error>(
        _ body: @Sendable (PostgresHandle) -> Result<R, E>
    ) async throws(PostgresError) -> Result<R, E> {
        if Task.isCancelled { throw PostgresError(.cancelled, operation: "open session") }
        let result = await withTaskCancellationHandler {
            await run(body)
        } onCancel: {
            interruption.interrupt()
        }
        return try result.get()
    }

    private func run<R: Sendable, E: Error>(
        _ body: @Sendable (PostgresHandle) -> Result<R, E>
    ) -> Result<Result<R, E>, PostgresError> {
        guard let handle, handle.pointer != nil else {
            return .failure(PostgresError(.connection, operation: "open session"))
        }
        let result = body(handle)
        handle.rollBack()
        if handle.pointer == nil, let loss = handle.loss { onEvent(.connectionLost(loss)) }
        return .success(result)
    }

    /// Whether the server still answers; asks it only if `thoroughly`, else only looks at the socket.
    func isAlive(thoroughly: Bool) -> Bool {
        guard let handle, !isBroken else { return false }
        if !handle.noticesClosedSocket(), !thoroughly || (try? handle.execute("", .named("validate"))) != nil {
            return true
        }
        if let loss = handle.loss { onEvent(.connectionLost(loss)) }
        return false
    }

    /// Closes it; calls after this throw `.connection`.
    public func close() {
        handle?.finish()
        handle = nil
    }
}
