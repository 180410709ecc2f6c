import DispatchCore
import Testing

@testable import Dispatcher

@Suite("dispatcher bench claims", .enabled(if: Servers.areAvailable), .timeLimit(.minutes(4)))
struct BenchClaimsTests {
    private static func run(_ arguments: [String], on database: TestDatabase) async throws -> (
        exit: Program.Exit?, output: String, errors: String
    ) {
        try await Program.run(
            ["bench", "claims"] + arguments,
            environment: ["DISPATCHER_DATABASE_URL": database.url]
        )
    }

    /// The hub that makes a database the benchmark's, with two devices of each user.
    private static func prepare(_ database: TestDatabase) async throws {
        try await database.execute("INSERT INTO dispatcher.hub (name) VALUES ('\(ClaimsBenchmark.hubName)')")
        try await database.execute(
            """
            INSERT INTO dispatcher.installation (hub_id, platform, installation_id, user_id, push_channel, tags)
            SELECT h.id, 1, 'device-' || n, 'u' || n / 2, 'ok-' || n, ARRAY['segment:' || n % 2]
            FROM dispatcher.hub h, generate_series(0, 1999) n
            WHERE h.name = '\(ClaimsBenchmark.hubName)'
            """
        )
    }

    @Test("each step has its times, all work is ended, and the counts are exact")
    func rounds() async throws {
        try await withDatabase { database in
            try await Self.prepare(database)
            let run = try await Self.run(["--rounds", "3", "--json"], on: database)
            #expect(run.exit == .status(0), "\(run.errors)")
            let document = try JSONParser.parse(Array(run.output.utf8))
            for step in ClaimStep.allCases {
                let times = try #require(document[step.rawValue]?.elements)
                #expect(times.count >= 3, "\(step)")
            }
            for table in ["batch", "plan", "retry", "channel_pause", "worker"] {
                #expect(try await database.count("SELECT count(*) FROM dispatcher.\(table)") == 0, "\(table)")
            }
            let audience = try await database.count("SELECT sum(audience) FROM dispatcher.notification")
            let accepted = "SELECT count(*) FROM dispatcher.delivery WHERE state = 2"
            #expect(try await database.count(accepted) == audience)
            let told = "SELECT sum(delta) FROM dispatcher.progress WHERE state = 2"
            #expect(try await database.count(told) == audience)
        }
    }

    @Test("a database that is not meant for it is left alone")
    func refusal() async throws {
        try await withDatabase { database in
            let run = try await Self.run([], on: database)
            #expect(run.exit == .status(1) && run.errors.contains(ClaimsBenchmark.hubName))
            #expect(try await database.count("SELECT count(*) FROM dispatcher.worker") == 0)
        }
    }
}
