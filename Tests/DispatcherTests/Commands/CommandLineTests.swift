import Testing

@testable import Dispatcher

/// The program from outside, where no server is needed.
@Suite(.timeLimit(.minutes(4))) struct CommandLineTests {
    private static let words = CommandLineProgram.commands.map { $0.words }

    @Test("--help prints the command's help and nothing else", arguments: CommandLineTests.words)
    func help(words: [String]) async throws {
        let command = try #require(CommandLineProgram.commands.first { $0.words == words })
        for flag in ["--help", "-h"] {
            let run = try await Program.run(words + [flag])
            #expect(run.exit == .status(0))
            #expect(run.output == command.help + "\n")
            #expect(run.errors.isEmpty)
        }
        #expect(command.help.hasPrefix("Usage: dispatcher \(words.joined(separator: " "))"))
        let longest = command.help.split(separator: "\n").map(\.count).max() ?? 0
        #expect(longest <= 120)
    }

    @Test("the overview names every command", arguments: ["--help", "help", "-h"])
    func overview(argument: String) async throws {
        let run = try await Program.run([argument])
        #expect(run.exit == .status(0))
        for command in CommandLineProgram.commands {
            #expect(run.output.contains("  \(command.words.joined(separator: " ")) "))
            #expect(run.output.contains(command.summary))
        }
    }

    @Test(
        "a usage error exits 64 and says what is wrong on standard error",
        arguments: [
            [], ["nonsense"], ["worker", "--fast"], ["installations"], ["installations", "import"], ["status"],
            ["status", "no-uuid"], ["status", "--wait", "x", "0193f2c4-7d1e-7abc-8def-0123456789ab"], ["cancel"],
            ["cancel", "1"], ["migrate", "now"], ["enqueue", "--queue", "slow"], ["enqueue", "--to"], ["version", "2"],
        ]
    )
    func usage(arguments: [String]) async throws {
        let run = try await Program.run(arguments)
        #expect(run.exit == .status(64))
        #expect(arguments.isEmpty || run.output.isEmpty)
        #expect(arguments.isEmpty || run.errors.hasPrefix("dispatcher: "))
    }

    @Test(
        "a missing setting is a failure that names the variable, with status 1",
        arguments: [
            (["worker"], "DISPATCHER_DATABASE_URL"), (["migrate"], "DISPATCHER_DATABASE_URL"),
            (["status", "0193f2c4-7d1e-7abc-8def-0123456789ab"], "DISPATCHER_DATABASE_URL"),
            (["enqueue", "--to", "broadcast", "--title", "x"], "DISPATCHER_AMQP_URL"),
        ]
    )
    func settings(arguments: [String], variable: String) async throws {
        let environment = ["DISPATCHER_MIGRATIONS": TestDatabase.migrations]
        let run = try await Program.run(arguments, environment: environment)
        #expect(run.exit == .status(1))
        #expect(run.errors.contains(variable))
        #expect(run.output.isEmpty)
    }

    @Test(
        "a setting that cannot be used is named, its value is not",
        arguments: [
            "DISPATCHER_LOG_LEVEL", "DISPATCHER_RETENTION_DAYS", "DISPATCHER_GATEWAY_TIMEOUT_SECONDS",
            "DISPATCHER_AMQP_URL", "DISPATCHER_DATABASE_URL",
        ]
    )
    func badSettings(variable: String) async throws {
        let usual = [
            "DISPATCHER_AMQP_URL": "amqp://localhost", "DISPATCHER_DATABASE_URL": "postgresql://localhost:1/x",
        ]
        let environment = usual.merging([variable: "s3cret-nonsense"]) { $1 }
        let run = try await Program.run(["doctor"], environment: environment)
        #expect(run.exit == .status(1))
        #expect(!(run.errors + run.output).contains("s3cret-nonsense"))
        #expect((run.errors + run.output).contains(variable))
    }

    @Test("version prints the version")
    func version() async throws {
        #expect(try await Program.run(["version"]).output == "dispatcher \(Version.current)\n")
    }
}
