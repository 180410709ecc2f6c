import Glibc
import Synchronization
import Testing

@testable import Postgres

@Suite("Trouble", .enabled(if: TestDatabase.isAvailable), .timeLimit(.minutes(4)))
struct TroubleTests {
    /// The test server through a proxy, and what its limits are.
    private func withProxy<R>(
        callDeadline: Duration = .milliseconds(300),
        _ body: (FreezingProxy, PostgresConfiguration) async throws -> R
    ) async throws -> R {
        let direct = try TestDatabase.configuration().options
        let proxy = try FreezingProxy(target: UInt16(direct["port"] ?? "5432") ?? 5432)
        defer { proxy.close() }
        let url =
            "host=127.0.0.1 port=\(proxy.port) user=\(direct["user"] ?? "postgres") dbname=\(direct["dbname"] ?? "")"
        return try await body(proxy, TestDatabase.configuration(host: url, callDeadline: callDeadline))
    }

    @Test("the server's statement timeout is 57014 and keeps the connection")
    func statementTimeout() async throws {
        let configuration = try TestDatabase.configuration(statementTimeout: .milliseconds(500))
        let connection = try await PostgresConnection.connect(configuration)
        let error = await failure { () async throws(PostgresError) in
            try await connection.withSession { session throws(PostgresError) in
                try session.execute("SELECT pg_sleep(60)")
            }
        }
        #expect(error?.sqlState == "57014" && error?.kind == .timeout && error?.policy == .smaller)
        #expect(!connection.isBroken)
        await connection.close()
    }

    @Test("a frozen server ends at the client's own deadline and loses the connection")
    func frozen() async throws {
        try await withProxy { proxy, configuration in
            let connection = try await PostgresConnection.connect(configuration)
            proxy.freeze()
            let start = ContinuousClock.now
            let error = await failure { () async throws(PostgresError) in
                try await connection.withSession { session throws(PostgresError) in try session.execute("SELECT 1") }
            }
            #expect(error?.kind == .timeout && error?.sqlState == nil && error?.policy == .reconnect)
            // Far above the deadline, far below for ever: two busy cores are not to decide.
            #expect(ContinuousClock.now - start < .seconds(60))
            #expect(connection.isBroken)
            let next = await failure { () async throws(PostgresError) in
                try await connection.withSession { session throws(PostgresError) in try session.execute("SELECT 1") }
            }
            #expect(next?.kind == .connection && next?.isCommitUnknown == false)
        }
    }

    @Test("a server that never answers the first packet ends at the connect deadline")
    func frozenConnect() async throws {
        try await withProxy { proxy, configuration in
            proxy.freeze()
            var configuration = configuration
            configuration.connectDeadline = .milliseconds(200)
            let error = await failure { [configuration] () async throws(PostgresError) in
                try await PostgresConnection.connect(configuration)
            }
            #expect(error?.kind == .timeout && error?.operation == "connect")
        }
    }

    @Test("a lost answer to COMMIT is unknown, and the row may be there")
    func commitUnknown() async throws {
        try await TestDatabase.withConnection { witness in
            let schema = try await witness.withSession { session throws(PostgresError) in
                try session.execute("CREATE TABLE item (id int8)")
                return try session.execute(PostgresStatement("SELECT current_schema()")).text(0, 0)
            }
            try await withProxy { proxy, configuration in
                let connection = try await PostgresConnection.connect(configuration)
                let error = await failure { () async throws(PostgresError) in
                    try await connection.withSession { session throws(PostgresError) in
                        try session.transaction { session throws(PostgresError) in
                            try session.execute("INSERT INTO \(schema).item VALUES (1)")
                            proxy.freeze(afterRequestWith: "COMMIT")
                        }
                    }
                }
                #expect(error?.kind == .timeout && error?.operation == "commit")
                #expect(error?.isCommitUnknown == true)
            }
            // The server has the COMMIT; a busy one may not have done it yet.
            var count: Int64 = 0
            for _ in 0..<400 where count == 0 {
                count = try await witness.withThrowingSession { session in
                    try session.execute(PostgresStatement("SELECT count(*) FROM item")).int8(0, 0)
                }
                if count == 0 { try await Task.sleep(for: .milliseconds(50)) }
            }
            #expect(count == 1)
        }
    }

    @Test("a cancelled task ends its call by losing the connection")
    func cancellation() async throws {
        try await TestDatabase.withConnection { witness in
            let connection = try await PostgresConnection.connect(TestDatabase.configuration())
            let started = AsyncStream<Void>.makeStream()
            let task = Task {
                await failure { () async throws(PostgresError) in
                    try await connection.withSession { session throws(PostgresError) in
                        started.continuation.yield()
                        try session.execute("SELECT pg_sleep(20)")
                    }
                }
            }
            for await _ in started.stream { break }
            task.cancel()
            let error = await task.value
            #expect(error?.kind == .cancelled && error?.policy == .retry)
            #expect(connection.isBroken && !witness.isBroken)
        }
    }

    @Test("an idle connection that the server has closed is found without asking it")
    func closedWhileIdle() async throws {
        let events = Recorder<PostgresEvent>()
        let connection = try await PostgresConnection.connect(TestDatabase.configuration()) { events.append($0) }
        #expect(await connection.isAlive(thoroughly: true))
        let backend = try await connection.withSession { session throws(PostgresError) in
            try session.execute(PostgresStatement("SELECT pg_backend_pid()")).int4(0, 0)
        }
        #expect(await connection.isAlive(thoroughly: false))
        try await TestDatabase.withConnection { killer in
            try await killer.withSession { session throws(PostgresError) in
                _ = try session.execute(PostgresStatement("SELECT pg_terminate_backend($1, 5000)", [.int4(backend)]))
            }
        }
        #expect(await !connection.isAlive(thoroughly: false))
        #expect(connection.isBroken)
        let lost = PostgresEvent.connectionLost(PostgresError(.connection, operation: "check"))
        #expect(events.values == [.connected, .notice(severity: "FATAL", text: "SQLSTATE 57P01"), lost])
    }

    @Test("a refused login carries its SQLSTATE and no text")
    func refusedLogin() async throws {
        let direct = try TestDatabase.configuration().options
        let url = "host=\(direct["host"] ?? "") port=\(direct["port"] ?? "") user=postgres dbname=no_such_database"
        let configuration = try TestDatabase.configuration(host: url)
        let error = await failure { () async throws(PostgresError) in
            try await PostgresConnection.connect(configuration)
        }
        #expect(error?.sqlState == "3D000" && error?.policy == .permanent)
        let nobody = try TestDatabase.configuration(host: "host=127.0.0.1 port=1")
        let refused = await failure { () async throws(PostgresError) in try await PostgresConnection.connect(nobody) }
        #expect(refused?.kind == .connection && refused?.sqlState == nil && refused?.policy == .reconnect)
    }

    @Test("a read-only server (25006) loses the connection")
    func readOnly() async throws {
        try await TestDatabase.withConnection { connection in
            let error = await failure { () async throws(PostgresError) in
                try await connection.withSession { session throws(PostgresError) in
                    try session.execute("SET default_transaction_read_only = on")
                    try session.execute("CREATE TABLE item (id int8)")
                }
            }
            #expect(error?.sqlState == "25006" && error?.policy == .reconnect && error?.isCommitUnknown == false)
            #expect(connection.isBroken)
        }
    }

    @Test("notices become events without their text")
    func notices() async throws {
        let events = Mutex<[PostgresEvent]>([])
        let recorder: @Sendable (PostgresEvent) -> Void = { event in events.withLock { $0.append(event) } }
        let connection = try await PostgresConnection.connect(TestDatabase.configuration(), onEvent: recorder)
        try await connection.withSession { session throws(PostgresError) in
            try session.execute("DO $$ BEGIN RAISE WARNING 'secret'; END $$")
        }
        #expect(events.withLock { $0 } == [.connected, .notice(severity: "WARNING", text: "SQLSTATE 01000")])
        await connection.close()
    }

    @Test("the session has our limits, name, encoding and time zone")
    func settings() async throws {
        let connection = try await PostgresConnection.connect(TestDatabase.configuration())
        let settings = try await connection.withSession { session throws(PostgresError) in
            let names = [
                "statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout", "TimeZone",
                "client_encoding", "application_name",
            ]
            let sql = "SELECT array_agg(current_setting(n) ORDER BY o) FROM unnest($1) WITH ORDINALITY AS t (n, o)"
            return try session.execute(PostgresStatement(sql, [.texts(names)])).textArray(0, 0)
        }
        #expect(settings == ["30s", "5s", "30s", "UTC", "UTF8", "PostgresTests"])
        await connection.close()
    }
}
