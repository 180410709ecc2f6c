import CPostgres
import Glibc

extension PostgresHandle {
    /// Connects and sets the session up, within the configuration's deadline.
    ///
    /// `PQconnectStart` looks host names up with the system's resolver, which blocks this executor's thread only.
    static func connect(
        _ configuration: PostgresConfiguration,
        interruption: Interruption,
        onEvent: @escaping @Sendable (PostgresEvent) -> Void
    ) throws(PostgresError) -> PostgresHandle {
        let notices = NoticeReceiver(onEvent: onEvent)
        let pointer = try start(configuration.connectionOptions)
        notices.attach(to: pointer)
        PQsetErrorVerbosity(pointer, PQERRORS_SQLSTATE)
        do throws(PostgresError) {
            try establish(pointer, until: Deadline(after: configuration.connectDeadline))
        } catch {
            PQfinish(pointer)
            throw error
        }
        let handle = PostgresHandle(
            adopting: pointer,
            configuration: configuration,
            interruption: interruption,
            notices: notices
        )
        try handle.execute(configuration.sessionSetup, .named("set session up"))
        return handle
    }

    private static func start(_ options: [String: String]) throws(PostgresError) -> OpaquePointer {
        let strings = options.flatMap { [strdup($0.key), strdup($0.value)] }
        defer { strings.forEach { free($0) } }
        var keywords: [UnsafePointer<CChar>?] = []
        var values: [UnsafePointer<CChar>?] = []
        for index in stride(from: 0, to: strings.count, by: 2) {
            keywords.append(UnsafePointer(strings[index]))
            values.append(UnsafePointer(strings[index + 1]))
        }
        guard let pointer = PQconnectStartParams(keywords + [nil], values + [nil], 0) else {
            throw PostgresError(.connection, operation: "connect")
        }
        return pointer
    }

    /// Polls until the connection is made.
    ///
    /// "Loop thus: If PQconnectPoll(conn) last returned PGRES_POLLING_READING, wait until the socket is ready to read …
    /// Conversely, if PQconnectPoll(conn) last returned PGRES_POLLING_WRITING, wait until the socket is ready to write";
    /// before the first call behave as after WRITING. Each call may change the socket.
    private static func establish(_ pointer: OpaquePointer, until deadline: Deadline) throws(PostgresError) {
        var status = PQstatus(pointer) == CONNECTION_BAD ? PGRES_POLLING_FAILED : PGRES_POLLING_WRITING
        while status != PGRES_POLLING_OK {
            guard status != PGRES_POLLING_FAILED else {
                throw PostgresError(connectionAttempt: pointer, operation: "connect")
            }
            try wait(PQsocket(pointer), for: status == PGRES_POLLING_READING ? POLLIN : POLLOUT, until: deadline)
            status = PQconnectPoll(pointer)
        }
    }

    private static func wait(_ socket: Int32, for events: Int32, until deadline: Deadline) throws(PostgresError) {
        var entry = pollfd(fd: socket, events: Int16(events), revents: 0)
        while true {
            if Task.isCancelled { throw PostgresError(.cancelled, operation: "connect") }
            guard let left = deadline.millisecondsLeft else { throw PostgresError(.timeout, operation: "connect") }
            // Short waits, since libpq may close this socket at any step and so it cannot be shut down from outside.
            let ready = poll(&entry, 1, min(left, 50))
            if ready > 0 { return }
            if ready < 0, errno != EINTR { throw PostgresError(.connection, operation: "connect") }
        }
    }
}
