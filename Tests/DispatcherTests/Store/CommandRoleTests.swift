import Foundation
import Testing

@testable import Dispatcher

extension BrokerTests {
    /// Which role is enough for which command: what docs/operations.md says, what the program says, and what is so.
    @Suite(.timeLimit(.minutes(8))) struct CommandRoleTests {
        private static let job = "0193f2c4-7d1e-7abc-8def-0123456789ab"

        /// The commands that end by themselves, in an order in which each finds what it is about.
        private static func commands(_ login: RoleLogin, _ stage: Stage) -> [(words: [String], rest: [String])] {
            let role = String(describing: login.role)
            return [
                (["status"], [job]), (["cancel"], [job]), (["installations", "import"], ["-"]),
                (["installations", "export"], ["-"]), (["users", "erase"], ["user-\(role)"]),
                (["dead-letters", "list"], []), (["dead-letters", "show"], [letter(login)]),
                (["dead-letters", "replay"], [letter(login)]),
                (["dead-letters", "discard"], [letter(login, after: DatabaseRole.allCases.count)]),
                (["dead-letters", "collect"], []), (["channels", "resume"], ["default", "apns", "com.example"]),
                (["keys", "create"], ["key-\(role)", "--rights", "send"]), (["keys", "list"], []),
                (["keys", "rotate"], ["key-\(role)"]), (["keys", "delete"], ["key-\(role)"]),
                (["links", "rotate"], []), (["hubs", "list"], []), (["hubs", "create"], ["hub-\(role)"]),
                (["hubs", "set"], ["default", "--inbox", "on"]), (["publishers", "list"], []),
                (["publishers", "add"], ["user-\(role)", "--hub", "default"]),
                (["publishers", "remove"], ["user-\(role)", "--open"]), (["classes", "list"], []),
                (["classes", "set"], ["default", "class-\(role)", "--quiet", "22:00-08:00"]),
                (["classes", "delete"], ["default", "class-\(role)"]),
            ]
        }

        /// Each role has dead letters of its own to deal with.
        private static func letter(_ login: RoleLogin, after count: Int = 0) -> String {
            String(count + 1 + (DatabaseRole.allCases.firstIndex(of: login.role) ?? 0))
        }

        /// The rows of the table: the words of a command, and what stands for owner, worker, API and dashboard.
        private static func documented() throws -> [String: [String]] {
            let folder = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
            let text = try String(contentsOf: folder.appendingPathComponent("docs/operations.md"), encoding: .utf8)
            let lines = text.components(separatedBy: "| command | owner | worker | API | dashboard |\n").last ?? ""
            var rows: [String: [String]] = [:]
            for line in lines.split(separator: "\n", omittingEmptySubsequences: false).dropFirst() {
                guard line.hasPrefix("| `") else { break }
                let cells = line.split(separator: "|").map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " `"))
                }
                rows[cells[0]] = Array(cells.dropFirst())
            }
            return rows
        }

        private static func prepare(_ stage: Stage) async throws {
            try await stage.register([Device("phone")])
            let letters = 2 * DatabaseRole.allCases.count
            try await stage.withWorkers {
                try await stage.publish((1...letters).map { Job(raw: Array("{\($0)".utf8)) })
                let select = "SELECT count(*) FROM dashboard.dead_letters WHERE published_at IS NOT NULL"
                let areFiled = await eventually { try await stage.database.count(select) == letters }
                #expect(areFiled)
            }
            // When no worker is there any more: by its number it is old enough to be removed.
            try await stage.database.execute(
                """
                INSERT INTO dispatcher.notification (id, expires_at, job_id, hub_id, audience, lane, target, body)
                SELECT 1, now() + interval '1 day', '\(job)', id, 5, 1, 'broadcast', '{}' FROM dispatcher.hub
                """
            )
        }

        /// A channel that is stopped, whoever resumed it before.
        private static func stopChannel(_ stage: Stage) async throws {
            try await stage.database.execute(
                """
                INSERT INTO dispatcher.channel_pause
                    (until, restore_since, worker_id, hub_id, platform, target, cause, reason)
                SELECT now() + interval '1 hour', now(), 1, id, 1, 'com.example', 'refused', 'test'
                FROM dispatcher.hub WHERE name = 'default'
                ON CONFLICT (hub_id, platform, target, is_sandbox) DO UPDATE SET closed_at = NULL
                """
            )
        }

        @Test("a command works as the roles that the document names, and another is told which one it needs")
        func everyCommand() async throws {
            let documented = try Self.documented()
            try await Stage.with { stage in
                try await Self.prepare(stage)
                try await RoleLogin.withAll(stage.database) { logins in
                    for (column, login) in logins.enumerated() {
                        try await Self.stopChannel(stage)
                        for command in Self.commands(login, stage) {
                            let mark = documented[command.words.joined(separator: " ")]?[column]
                            try await Self.expect(command.words, command.rest, login, stage, may: mark)
                        }
                    }
                }
            }
        }

        private static func expect(
            _ words: [String],
            _ rest: [String],
            _ login: RoleLogin,
            _ stage: Stage,
            may mark: String?
        ) async throws {
            let environment = stage.environment(["DISPATCHER_DATABASE_URL": login.url])
            let device = Device("import-\(login.role)", channel: "ok-import-\(login.role)").json + "\n"
            let run = try await Program.run(words + rest, environment: environment, input: device)
            let isRefused = run.errors.contains("SQLSTATE 42501")
            let what = Comment("\(words) as \(login.role), documented \(mark ?? "nowhere"): \(run.errors)")
            #expect(mark == (isRefused ? "–" : "yes"), what)
            let roles = DatabaseRole.enough(for: words)
            #expect(roles.contains(login.role) == !isRefused, what)
            guard isRefused else {
                // The job is cancelled once; who comes later is told so.
                #expect(run.exit == .status(0) || run.errors.contains("there is no notification"), what)
                return
            }
            #expect(run.exit == .status(1) && run.errors.contains("permission denied for"), what)
            #expect(run.errors.contains("needs a database login that is a member of \(roles[0].rawValue)"), what)
        }

        @Test("every command is in the document, but for those without a database and the makers of one")
        func everyRow() throws {
            let without = ["migrate", "enqueue", "health", "bench render", "bench claims", "version"]
            let commands = CommandLineProgram.commands.map { $0.words.joined(separator: " ") }
            #expect(Set(try Self.documented().keys) == Set(commands).subtracting(without))
        }

        @Test("the processes work as their own role, and end as any other", arguments: ["worker", "serve"])
        func processes(words: String) async throws {
            let documented = try Self.documented()
            try await Stage.with { stage in
                try await RoleLogin.withAll(stage.database) { logins in
                    for (column, login) in logins.enumerated() {
                        let changes = [
                            "DISPATCHER_DATABASE_URL": login.url, "DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0",
                            "DISPATCHER_LOG_LEVEL": "info",
                        ]
                        let program = try Program([words], environment: stage.environment(changes))
                        _ = await eventually { program.errors.contains("\(words).started") || program.exit != nil }
                        let isRefused = program.exit != nil
                        #expect((documented[words]?[column] == "yes") == !isRefused, "\(login.role) \(program.errors)")
                        if isRefused { #expect(program.errors.contains("42501"), "\(login.role) \(program.errors)") }
                        if !isRefused { try await Program.stop([program]) }
                    }
                }
            }
        }

        @Test("the doctor asks a login for what this configuration runs with it")
        func doctor() async throws {
            try await Stage.with { stage in
                try await RoleLogin.withAll(stage.database) { logins in
                    for login in logins {
                        let worker = ["DISPATCHER_DATABASE_URL": login.url]
                        let serve = worker.merging(["DISPATCHER_HTTP_ADDRESS": "127.0.0.1:0"]) { $1 }
                        let asWorker = try await Program.run(["doctor"], environment: stage.environment(worker))
                        #expect(
                            (asWorker.exit == .status(0)) == [.worker, .owner].contains(login.role),
                            "\(asWorker.output)"
                        )
                        let asServe = try await Program.run(["doctor"], environment: stage.environment(serve))
                        #expect((asServe.exit == .status(0)) == (login.role == .api), "\(asServe.output)")
                        let isAdvised = asServe.output.contains("GRANT dispatcher_worker")
                        #expect(!(isAdvised && login.role == .api), "\(asServe.output)")
                    }
                }
            }
        }
    }
}
