import DispatchCore

@testable import Dispatcher

/// A clock of PostgreSQL that stands until it is told to go on.
///
/// Its functions come before those of `pg_catalog` in the search path, so that defaults, views and statements that name no
/// schema read it. Functions that set their own path read the real one.
struct TestClock {
    let database: TestDatabase

    /// To be called before the database is migrated.
    static func install(in database: TestDatabase, at instant: Timestamp) async throws -> TestClock {
        try await Servers.execute(
            """
            CREATE SCHEMA test_clock;
            CREATE TABLE test_clock.instant (at timestamptz NOT NULL);
            INSERT INTO test_clock.instant VALUES ('epoch');
            CREATE FUNCTION test_clock.now() RETURNS timestamptz LANGUAGE sql STABLE SECURITY DEFINER
            AS 'SELECT at FROM test_clock.instant';
            CREATE FUNCTION test_clock.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE SECURITY DEFINER
            AS 'SELECT at FROM test_clock.instant';
            GRANT USAGE ON SCHEMA test_clock TO PUBLIC;
            ALTER DATABASE \(database.name) SET search_path = test_clock, pg_catalog, public
            """,
            database: database.name
        )
        let clock = TestClock(database: database)
        try await clock.set(instant)
        return clock
    }

    func set(_ instant: Timestamp) async throws {
        try await database.execute("UPDATE test_clock.instant SET at = '\(instant.rfc3339)'")
    }
}
