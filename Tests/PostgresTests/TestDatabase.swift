import Glibc
import Postgres
import Testing

/// The server of the integration tests; each test works in a schema of its own.
enum TestDatabase {
    static let url = getenv("DISPATCHER_DATABASE_URL").map { String(cString: $0) }

    static var isAvailable: Bool { url != nil }

    static func configuration(
        host: String? = nil,
        statementTimeout: Duration = .seconds(30),
        callDeadline: Duration? = nil,
        preparedStatementLimit: Int = 200
    ) throws -> PostgresConfiguration {
        try PostgresConfiguration(
            url: host ?? url ?? "",
            applicationName: "PostgresTests",
            statementTimeout: statementTimeout,
            callDeadline: callDeadline,
            preparedStatementLimit: preparedStatementLimit
        )
    }

    static func withConnection<R>(
        _ configuration: PostgresConfiguration? = nil,
        _ body: (PostgresConnection) async throws -> R
    ) async throws -> R {
        let connection = try await PostgresConnection.connect(configuration ?? Self.configuration())
        let schema = "test_\(getpid())_\(UInt32.random(in: 0 ... .max))"
        try await connection.withSession { session throws(PostgresError) in
            try session.execute("CREATE SCHEMA \(schema); SET search_path TO \(schema)")
        }
        let result: R
        do {
            result = try await body(connection)
        } catch {
            try? await drop(schema)
            throw error
        }
        await connection.close()
        try await drop(schema)
        return result
    }

    private static func drop(_ schema: String) async throws {
        let connection = try await PostgresConnection.connect(configuration())
        try await connection.withSession { session throws(PostgresError) in
            try session.execute("DROP SCHEMA \(schema) CASCADE")
        }
        await connection.close()
    }
}

/// Runs the body and answers the error it throws.
func failure<R>(_ body: () async throws(PostgresError) -> R) async -> PostgresError? {
    do throws(PostgresError) {
        _ = try await body()
        return nil
    } catch {
        return error
    }
}

/// Expects two values to be equal; unlike the macro it takes operands that borrow a noncopyable session.
func expectEqual<T: Equatable>(_ value: T, _ expected: T, sourceLocation: SourceLocation = #_sourceLocation) {
    #expect(value == expected, sourceLocation: sourceLocation)
}
