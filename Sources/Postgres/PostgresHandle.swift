import CPostgres
import Glibc

/// One libpq connection in non-blocking mode and what belongs to it; confined to its connection's executor.
///
/// Every wait has the client's own deadline. "PQexec" and its kin have none, and neither keepalives nor the server's
/// timeouts end a call to a frozen server. After an expired deadline the answer may still come, so the connection is
/// finished, never reused.
final class PostgresHandle {
    /// Nil once the connection is finished.
    private(set) var pointer: OpaquePointer?
    let callDeadline: Duration
    var statements: PreparedStatements
    private let interruption: Interruption
    private let notices: NoticeReceiver
    private(set) var loss: PostgresError?
    /// Prepared statements the server should forget as soon as it can.
    var forgotten: [String] = []

    init(
        adopting pointer: OpaquePointer,
        configuration: PostgresConfiguration,
        interruption: Interruption,
        notices: NoticeReceiver
    ) {
        self.pointer = pointer
        self.interruption = interruption
        self.notices = notices
        callDeadline = configuration.callDeadline
        statements = PreparedStatements(limit: configuration.preparedStatementLimit)
        PQsetnonblocking(pointer, 1)
        interruption.arm(PQsocket(pointer))
    }

    deinit {
        finish()
    }

    /// Closes the connection; the first error stays the reason.
    func finish() {
        guard let pointer else { return }
        interruption.disarm()
        PQfinish(pointer)
        self.pointer = nil
    }

    /// The connection, or why there is none.
    func live(_ operation: Operation) throws(PostgresError) -> OpaquePointer {
        if let pointer { return pointer }
        throw PostgresError(.connection, operation: operation.text, sqlState: loss?.sqlState)
    }

    /// Whether a transaction block is open, in whatever condition.
    var isInTransaction: Bool {
        guard let pointer else { return false }
        return PQtransactionStatus(pointer) != PQTRANS_IDLE
    }

    /// Drops the connection because of an error, which is given back to be thrown.
    func retire(_ error: PostgresError) -> PostgresError {
        var error = error
        if interruption.isInterrupted, error.sqlState == nil {
            error = PostgresError(.cancelled, operation: error.operation)
        }
        loss = loss ?? error
        finish()
        return error
    }

    /// Gives an error back to be thrown, and drops the connection if the error says so.
    func settle(_ error: PostgresError) -> PostgresError {
        let isBad = pointer.map { PQstatus($0) == CONNECTION_BAD } ?? true
        return isBad || error.isConnectionLoss ? retire(error) : error
    }

    /// The error of a libpq function that refused a call.
    func refusal(_ operation: Operation) -> PostgresError {
        let isBad = pointer.map { PQstatus($0) == CONNECTION_BAD } ?? true
        return retire(PostgresError(isBad ? .connection : .protocol, operation: operation.text))
    }

    /// Waits for the socket; answers whether there may be something to read.
    private func wait(
        _ connection: OpaquePointer,
        for events: Int32,
        until deadline: Deadline,
        _ operation: Operation
    ) throws(PostgresError) -> Bool {
        var entry = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        // OpenSSL may hold the rest of a record that was larger than libpq's buffer, of which poll knows nothing.
        let longest: Int32 = PQsslInUse(connection) == 1 ? 100 : .max
        while true {
            guard let left = deadline.millisecondsLeft else {
                throw retire(PostgresError(.timeout, operation: operation.text))
            }
            let ready = poll(&entry, 1, min(left, longest))
            if ready > 0 { return entry.revents & ~Int16(POLLOUT) != 0 }
            if ready == 0, longest < left { return true }
            if ready < 0, errno != EINTR { throw refusal(operation) }
        }
    }

    /// Sends everything queued, reading meanwhile so that neither side waits with full buffers.
    func flush(until deadline: Deadline, _ operation: Operation) throws(PostgresError) {
        let connection = try live(operation)
        // -1 is reported by the next result: "the connection may still hold the server's last words".
        while PQflush(connection) == 1 {
            if try wait(connection, for: POLLIN | POLLOUT, until: deadline, operation) {
                guard PQconsumeInput(connection) == 1 else { return }
            }
        }
    }

    /// The next result, which the caller clears; nil between statements and at the end.
    func nextResult(until deadline: Deadline, _ operation: Operation) throws(PostgresError) -> OpaquePointer? {
        let connection = try live(operation)
        while PQisBusy(connection) == 1 {
            _ = try wait(connection, for: POLLIN, until: deadline, operation)
            if PQconsumeInput(connection) == 0 {
                guard PQstatus(connection) == CONNECTION_BAD else { throw refusal(operation) }
                break
            }
        }
        return PQgetResult(connection)
    }

    /// Whether the server has closed the idle connection; costs one system call if there is nothing to read.
    ///
    /// The server's last words come before the end of the stream, so there may be several things to read.
    func noticesClosedSocket() -> Bool {
        guard let pointer else { return true }
        var entry = pollfd(fd: PQsocket(pointer), events: Int16(POLLIN), revents: 0)
        for _ in 0..<8 where poll(&entry, 1, 0) != 0 {
            guard PQconsumeInput(pointer) == 1, PQstatus(pointer) == CONNECTION_OK else {
                _ = retire(PostgresError(.connection, operation: "check"))
                return true
            }
            // Hands what came to the notice receiver.
            _ = PQisBusy(pointer)
        }
        return false
    }
}
