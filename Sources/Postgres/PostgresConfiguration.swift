import CPostgres

/// Where the server is and how long anything may take.
public struct PostgresConfiguration: Sendable {
    /// What `pg_stat_activity` shows.
    public var applicationName: String

    /// The server's limit for one statement.
    public var statementTimeout: Duration

    /// The server's limit for waiting for one lock.
    public var lockTimeout: Duration

    /// The server's limit for an open transaction without a statement.
    public var idleInTransactionTimeout: Duration

    /// The client's own limit for one call, after which the connection is dropped.
    ///
    /// The server's limits do not help when it is frozen or a middlebox still acknowledges.
    public var callDeadline: Duration

    /// The client's limit for making a connection, all hosts together.
    public var connectDeadline: Duration

    /// The most statements a connection keeps prepared; the longest unused one makes room.
    public var preparedStatementLimit: Int

    /// Further server settings of every session, by name, such as `enable_seqscan`; both parts are the program's own.
    public var sessionSettings: [String: String] = [:]

    /// What the URL says, as libpq understands it.
    let options: [String: String]

    /// Takes a libpq URI (`postgresql://…`) or connection string (`host=… dbname=…`).
    ///
    /// - Throws: `.encoding` when libpq cannot read it; the text is not repeated since it may hold a password.
    public init(
        url: String,
        applicationName: String = "dispatcher",
        statementTimeout: Duration = .seconds(30),
        lockTimeout: Duration = .seconds(5),
        idleInTransactionTimeout: Duration = .seconds(30),
        callDeadline: Duration? = nil,
        connectDeadline: Duration = .seconds(15),
        preparedStatementLimit: Int = 200
    ) throws(PostgresError) {
        options = try Self.parse(url)
        self.applicationName = applicationName
        self.statementTimeout = statementTimeout
        self.lockTimeout = lockTimeout
        self.idleInTransactionTimeout = idleInTransactionTimeout
        self.callDeadline = callDeadline ?? statementTimeout + .seconds(5)
        self.connectDeadline = connectDeadline
        self.preparedStatementLimit = max(1, preparedStatementLimit)
    }

    private static func parse(_ url: String) throws(PostgresError) -> [String: String] {
        var message: UnsafeMutablePointer<CChar>?
        let first = url.utf8.contains(0) ? nil : PQconninfoParse(url, &message)
        defer {
            PQconninfoFree(first)
            PQfreemem(message)
        }
        guard let first else { throw PostgresError(.encoding, operation: "read database URL") }
        return read(first)
    }

    /// The keywords that have a value, from an array that ends with a null keyword.
    static func read(_ first: UnsafeMutablePointer<PQconninfoOption>) -> [String: String] {
        var options: [String: String] = [:]
        var next = first
        while let keyword = next.pointee.keyword {
            if let value = next.pointee.val { options[String(cString: keyword)] = String(cString: value) }
            next += 1
        }
        return options
    }

    /// What libpq is given: the URL's options, ours where it has none, and those it may not change.
    var connectionOptions: [String: String] {
        let ours = [
            "keepalives_idle": "10",
            "keepalives_interval": "5",
            "keepalives_count": "3",
            // Also limits connecting, so that an unreachable first host leaves time for the next one.
            "tcp_user_timeout": "5000",
        ]
        let fixed = ["client_encoding": "UTF8", "application_name": applicationName, "keepalives": "1"]
        return options.merging(ours) { url, _ in url }.merging(fixed) { _, fixed in fixed }
    }

    /// Sets the session up in one round trip; startup options would be refused by poolers.
    var sessionSetup: String {
        let further = sessionSettings.sorted { $0.key < $1.key }.map { ";\nSET \($0.key) = '\($0.value)'" }.joined()
        return """
            SET statement_timeout = \(statementTimeout.wholeMilliseconds);
            SET lock_timeout = \(lockTimeout.wholeMilliseconds);
            SET idle_in_transaction_session_timeout = \(idleInTransactionTimeout.wholeMilliseconds);
            SET TimeZone = 'UTC'\(further)
            """
    }
}

extension PostgresConfiguration: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Where it leads, without the password.
    public var description: String {
        ["host", "hostaddr", "port", "dbname", "user", "sslmode"]
            .compactMap { keyword in options[keyword].map { "\(keyword)=\($0)" } }
            .joined(separator: " ")
    }

    /// The same as the description.
    public var debugDescription: String { description }

    /// Keeps `dump` and reflection from showing the password.
    public var customMirror: Mirror { Mirror(self, children: ["description": description]) }
}
