import DispatchCore
import Foundation
import Postgres
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// The dashboards in `dashboards/`: each query runs, as the role that Grafana has.
    @Suite(.timeLimit(.minutes(4))) struct GrafanaTests {
        private static func dashboard(_ name: String) throws -> JSONValue {
            let folder = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let data = try Data(contentsOf: folder.appendingPathComponent("dashboards/\(name).json"))
            return try JSONParser.parse(Array(data))
        }

        /// Every query in the document, with the title of its panel.
        private static func queries(_ value: JSONValue, title: String = "-") -> [(title: String, sql: String)] {
            switch value {
            case .object(let members):
                let title = value["title"]?.string ?? title
                return members.flatMap { member -> [(title: String, sql: String)] in
                    let isQuery = member.name == "rawSql" || member.name == "query" && value["type"]?.string == "query"
                    guard isQuery, let sql = member.value.string else { return queries(member.value, title: title) }
                    return [(title, sql)]
                }
            case .array(let values): return values.flatMap { queries($0, title: title) }
            default: return []
            }
        }

        /// What Grafana puts in the place of its macros and variables.
        private static func expanded(_ sql: String, notification: String) -> String {
            sql.replacing(#/\$__timeFilter\(([^)]*)\)/#) { "\($0.1) BETWEEN now() - interval '1 hour' AND now()" }
                .replacing("${hub}", with: "%").replacing("${notification}", with: notification)
        }

        private func run(_ name: String, notification: String, _ database: TestDatabase) async throws -> [String: Int] {
            let url = "\(database.url)?options=-c%20role%3Ddispatcher_dashboard"
            let pool = PostgresPool(configuration: try PostgresConfiguration(url: url), size: 1)
            let queries = Self.queries(try Self.dashboard(name))
            #expect(queries.count >= 8)
            var counts: [String: Int] = [:]
            for (title, sql) in queries {
                let text = Self.expanded(sql, notification: notification)
                #expect(!text.contains("$"), "\(title): \(text)")
                do throws(PostgresError) {
                    counts[title, default: 0] += try await pool.withSession { session throws(PostgresError) in
                        try session.execute(PostgresStatement(text, prepared: false)).count
                    }
                } catch {
                    Issue.record("\(name), \(title): \(error)\n\(text)")
                }
            }
            await pool.close()
            return counts
        }

        @Test("every query of both dashboards runs for the dashboard's role, and finds what was sent")
        func queries() async throws {
            try await Stage.with { stage in
                try await stage.register([Device("well"), Device("dead", channel: "dead-1")])
                let job = Job(to: #"{"installations":["well","dead"]}"#)
                try await stage.withWorkers {
                    try await stage.publish([job, Job(raw: Array("{".utf8))])
                    _ = try await stage.finished(job)
                    let isRefused = await eventually {
                        try await stage.database.count("SELECT count(*) FROM dashboard.dead_letters") == 1
                    }
                    #expect(isRefused)
                    let overview = try await run("overview", notification: job.id, stage.database)
                    for title in [
                        "Notifications", "Deliveries by state", "Failures by reason", "Dead letters", "Workers",
                    ] {
                        #expect(overview[title] ?? 0 > 0, "\(title)")
                    }
                    let one = try await run("notification", notification: job.id, stage.database)
                    for title in ["Notification", "Funnel", "By platform", "Why not"] {
                        #expect(one[title] ?? 0 > 0, "\(title)")
                    }
                }
            }
        }
    }
}
