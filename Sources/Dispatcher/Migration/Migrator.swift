import Postgres

/// Brings the schema up to date: forward only, one transaction each, one migrator at a time.
struct Migrator: Sendable {
    let configuration: PostgresConfiguration
    let migrations: [Migration]
    let report: @Sendable (String) -> Void

    /// The advisory lock all migrators of a database wait for ("disp").
    private static let lockKey: Int64 = 0x6469_7370

    /// Applies what is missing; answers how many migrations that were.
    func run() async throws -> Int {
        let connection = try await PostgresConnection.connect(configuration)
        do {
            try await lock(connection)
            let count = try await applyMissing(connection)
            await connection.close()
            return count
        } catch {
            await connection.close()
            throw error
        }
    }

    /// Waits for the lock in short steps, so that no statement timeout ends the wait; closing releases it.
    private func lock(_ connection: PostgresConnection) async throws {
        let statement = PostgresStatement("SELECT pg_try_advisory_lock($1)", [.int8(Self.lockKey)])
        var isReported = false
        while true {
            let isLocked = try await connection.withSession { session throws(PostgresError) in
                try session.execute(statement).bool(0, 0)
            }
            if isLocked { return }
            if !isReported { report("waiting for another migrator") }
            isReported = true
            try await Task.sleep(for: .milliseconds(100))
        }
    }

    private func applyMissing(_ connection: PostgresConnection) async throws -> Int {
        try await connection.withSession { session throws(PostgresError) in
            try session.execute(Self.bookkeeping)
        }
        let applied = try await Self.applied(connection)
        let missing = try Self.missing(migrations, applied: applied)
        for migration in missing {
            report("applying \(migration.version) \(migration.name)")
            try await apply(migration, connection)
        }
        return missing.count
    }

    private func apply(_ migration: Migration, _ connection: PostgresConnection) async throws {
        try await connection.withSession { session throws(PostgresError) in
            try session.transaction { session throws(PostgresError) in
                // A migration may take its time; it ends by itself or by the operator, not by a timeout.
                try session.execute("SET LOCAL statement_timeout = 0; SET LOCAL lock_timeout = '10s'")
                try session.execute(migration.sql)
                try session.execute("RESET ROLE")
                _ = try session.execute(Self.entry(migration))
            }
        }
    }

    private static func entry(_ migration: Migration) -> PostgresStatement {
        PostgresStatement(
            "INSERT INTO dispatcher.migration (version, name, checksum) VALUES ($1, $2, $3)",
            [.int4(Int32(migration.version)), .text(migration.name), .text(migration.checksum)]
        )
    }

    private static let bookkeeping = """
        CREATE SCHEMA IF NOT EXISTS dispatcher;
        CREATE TABLE IF NOT EXISTS dispatcher.migration (
            version    integer     PRIMARY KEY,
            name       text        NOT NULL,
            checksum   text        NOT NULL,
            applied_at timestamptz NOT NULL DEFAULT clock_timestamp()
        );
        """

    /// What the database says it has had.
    struct Applied: Sendable, Equatable {
        let version: Int
        let name: String
        let checksum: String
    }

    private static func applied(_ connection: PostgresConnection) async throws -> [Applied] {
        let statement = PostgresStatement("SELECT version, name, checksum FROM dispatcher.migration ORDER BY version")
        return try await connection.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var applied: [Applied] = []
            for row in 0..<rows.count {
                let version = Int(try rows.int4(row, 0))
                applied.append(Applied(version: version, name: try rows.text(row, 1), checksum: try rows.text(row, 2)))
            }
            return applied
        }
    }

    /// The migrations still to apply; refuses a history that differs from the files.
    static func missing(_ migrations: [Migration], applied: [Applied]) throws(MigrationError) -> [Migration] {
        for (index, entry) in applied.enumerated() {
            guard entry.version == index + 1 else {
                throw .outOfSequence(expected: index + 1, found: entry.version)
            }
            guard entry.version <= migrations.count else {
                throw .missing(version: entry.version, name: entry.name)
            }
            guard migrations[entry.version - 1].checksum == entry.checksum else {
                throw .edited(version: entry.version, name: entry.name)
            }
        }
        return Array(migrations.dropFirst(applied.count))
    }
}
