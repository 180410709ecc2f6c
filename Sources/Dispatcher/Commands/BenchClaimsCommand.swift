import Postgres

/// Measures what a worker asks of the database, on one that is kept for it.
struct BenchClaimsCommand: Command {
    static let words = ["bench", "claims"]
    static let summary = "measure what a worker asks of the database"
    static let help = """
        Usage: dispatcher bench claims [--rounds N] [--json]

        Goes N times (100) through what a worker asks of the database to find, claim, record and rescue work, with the
        worker's own statements, and prints how long each took: a table of p50 and p99 in milliseconds, or one JSON
        object with all times in microseconds. No worker may run beside it.

        It leaves jobs and deliveries behind, so it works only on a database with a hub 'bench-claims', which has devices.
        'scripts/bench claims' makes such databases, with and without millions of old rows, and compares them.

        Environment: DISPATCHER_DATABASE_URL.
        """

    private let rounds: Int
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        rounds = try arguments.integer("--rounds", in: 1...1_000_000) ?? 100
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        let pool = try Configuration(.process).workerPool(size: 1, log: Log(minimum: .error))
        let benchmark = try await ClaimsBenchmark.prepare(pool)
        try await benchmark.run(rounds: rounds)
        await pool.close()
        print(isJSON ? ClaimsReport.json(benchmark.times) : ClaimsReport.table(benchmark.times))
    }
}
