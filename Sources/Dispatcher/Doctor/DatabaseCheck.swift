import DispatchCore
import Postgres

/// What the doctor asks the database.
struct DatabaseCheck {
    private let configuration: Configuration
    /// Whether the API is to work with this database too.
    private let serves: Bool

    /// Rows are stamped by the database, so a skew only confuses people who compare logs; more than this does.
    private static let skewLimit = Duration.seconds(5)

    init(_ configuration: Configuration, serves: Bool) {
        self.configuration = configuration
        self.serves = serves
    }

    func run() async -> [Finding] {
        do {
            let settings = try configuration.database(applicationName: "dispatcher doctor")
            let connection = try await PostgresConnection.connect(settings)
            let findings = await [transport(settings), version(connection)] + schema(connection) + [clock(connection)]
            await connection.close()
            return findings
        } catch {
            let advice = "check DISPATCHER_DATABASE_URL and that the server is up"
            return [.wrong("database", "\(error); \(advice)")]
        }
    }

    private func transport(_ settings: PostgresConfiguration) -> Finding {
        switch settings.transportSecurity {
        case .local: .good("database transport", "local")
        case .verified: .good("database transport", "TLS, verified")
        case .unverified(let mode):
            configuration.transportTrust.database
                ? .good("database transport", "sslmode=\(mode), not verified; \(TransportTrust.variable) allows it")
                : .wrong("database transport", "sslmode=\(mode), not verified; set sslmode=verify-full and sslrootcert")
        }
    }

    private func version(_ connection: PostgresConnection) async -> Finding {
        await ask(connection, "database version", "SELECT current_setting('server_version_num')::int4") {
            rows throws(PostgresError) in
            let number = Int(try rows.int4(0, 0))
            let text = "PostgreSQL \(number / 10_000).\(number % 10_000)"
            return number >= 150_000
                ? .good("database version", text) : .wrong("database version", "\(text); 15 or later is needed")
        }
    }

    private func schema(_ connection: PostgresConnection) async -> [Finding] {
        let exists = "SELECT to_regclass('dispatcher.migration') IS NOT NULL"
        let present = await ask(connection, "schema", exists) { rows throws(PostgresError) in
            try rows.bool(0, 0) ? .good("schema", "") : .wrong("schema", "empty database; run 'dispatcher migrate'")
        }
        guard present.isGood else { return [present] }
        var findings = [await schemaVersion(connection)]
        if serves { findings.append(await membership(connection)) }
        guard await !isForServeOnly(connection) else {
            let advice = "run doctor as the workers' login too, without DISPATCHER_HTTP_ADDRESS"
            return findings + [
                .good("privileges", "those of serve only; work and backlog are not looked at: \(advice)")
            ]
        }
        findings += [await privileges(connection), await partitions(connection)]
        return findings + (await BacklogCheck.run(connection))
    }

    /// Whether this configuration runs the API and its login has no more than that needs, which is right.
    private func isForServeOnly(_ connection: PostgresConnection) async -> Bool {
        guard serves else { return false }
        let sql = """
            SELECT pg_has_role('dispatcher_api', 'MEMBER')
               AND NOT has_table_privilege('dispatcher.delivery', 'SELECT, INSERT, UPDATE, DELETE')
            """
        return await ask(connection, "privileges", sql) { rows throws(PostgresError) in
            try rows.bool(0, 0) ? .good("privileges", "") : .wrong("privileges", "")
        }.isGood
    }

    /// Every session of the API says SET ROLE.
    private func membership(_ connection: PostgresConnection) async -> Finding {
        let sql = "SELECT pg_has_role('dispatcher_api', 'MEMBER')"
        return await ask(connection, "role of serve", sql) { rows throws(PostgresError) in
            try rows.bool(0, 0)
                ? .good("role of serve", "a member of dispatcher_api")
                : .wrong("role of serve", "serve cannot work; GRANT dispatcher_api TO the user")
        }
    }

    private func schemaVersion(_ connection: PostgresConnection) async -> Finding {
        await ask(connection, "schema", "SELECT max(version) FROM dispatcher.migration") { rows throws(PostgresError) in
            let found = Int(try rows.int4(0, 0))
            return found >= SchemaVersion.current
                ? .good("schema", "migration \(found)")
                : .wrong("schema", "at \(found), needs \(SchemaVersion.current); run 'dispatcher migrate'")
        }
    }

    private func privileges(_ connection: PostgresConnection) async -> Finding {
        let sql = """
            SELECT has_table_privilege('dispatcher.notification', 'INSERT')
               AND has_table_privilege('dispatcher.delivery', 'INSERT')
               AND has_table_privilege('dispatcher.batch', 'DELETE')
               AND has_table_privilege('dispatcher.turn', 'UPDATE')
               AND has_table_privilege('dispatcher.receipt', 'INSERT')
               AND has_table_privilege('dispatcher.publisher', 'SELECT')
            """
        return await ask(connection, "privileges", sql) { rows throws(PostgresError) in
            try rows.bool(0, 0)
                ? .good("privileges", "may work")
                : .wrong("privileges", "the role may not work; GRANT dispatcher_worker TO it")
        }
    }

    private func partitions(_ connection: PostgresConnection) async -> Finding {
        let sql = """
            SELECT to_regclass('dispatcher.delivery_' || to_char((now() AT TIME ZONE 'UTC')::date + 1, 'YYYYMMDD'))
                       IS NOT NULL,
                   EXISTS (SELECT FROM dispatcher.delivery_default)
            """
        return await ask(connection, "partitions", sql) { rows throws(PostgresError) in
            guard try rows.bool(0, 0) else {
                return .wrong("partitions", "tomorrow's is missing; is a worker running? it makes them every hour")
            }
            return try rows.bool(0, 1)
                ? .wrong("partitions", "rows in delivery_default: a day had no partition; move them by hand")
                : .good("partitions", "made ahead")
        }
    }

    private func clock(_ connection: PostgresConnection) async -> Finding {
        let local = DatabaseClock().now
        return await ask(connection, "clock", "SELECT clock_timestamp()") { rows throws(PostgresError) in
            let skew = Timestamp(microseconds: try rows.timestamp(0, 0)) - local
            let milliseconds = skew.microseconds / 1_000
            let isGood = abs(milliseconds) < Self.skewLimit.microseconds / 1_000
            return isGood
                ? .good("clock", "within \(abs(milliseconds)) ms of the database")
                : .wrong("clock", "\(milliseconds) ms apart from the database; synchronise with NTP")
        }
    }

    private func ask(
        _ connection: PostgresConnection,
        _ name: String,
        _ sql: String,
        _ judge: @Sendable (PostgresRows) throws(PostgresError) -> Finding
    ) async -> Finding {
        await Finding.asking(connection, name, sql, judge)
    }
}

extension Finding {
    /// Judges what a query answers; one that fails is a finding of its own.
    static func asking(
        _ connection: PostgresConnection,
        _ name: String,
        _ sql: String,
        _ judge: @Sendable (PostgresRows) throws(PostgresError) -> Finding
    ) async -> Finding {
        do {
            return try await connection.withSession { session throws(PostgresError) in
                try judge(try session.execute(PostgresStatement(sql)))
            }
        } catch {
            return .wrong(name, error.debugDescription)
        }
    }
}
