import Glibc
import Postgres

/// Finds the command that the arguments name and runs it.
enum CommandLineProgram {
    static let commands: [any Command.Type] = [
        MigrateCommand.self,
        WorkerCommand.self,
        ServeCommand.self,
        EnqueueCommand.self,
        ImportInstallationsCommand.self,
        ExportInstallationsCommand.self,
        EraseUserCommand.self,
        StatusCommand.self,
        CancelCommand.self,
        DeadLettersListCommand.self,
        DeadLettersShowCommand.self,
        DeadLettersReplayCommand.self,
        DeadLettersDiscardCommand.self,
        DeadLettersCollectCommand.self,
        ResumeChannelCommand.self,
        KeysCreateCommand.self,
        KeysListCommand.self,
        KeysRotateCommand.self,
        LinksRotateCommand.self,
        KeysDeleteCommand.self,
        HubsListCommand.self,
        HubsCreateCommand.self,
        HubsSetCommand.self,
        PublishersListCommand.self,
        PublishersAddCommand.self,
        PublishersRemoveCommand.self,
        HealthCommand.self,
        ClassesListCommand.self,
        ClassesSetCommand.self,
        ClassesDeleteCommand.self,
        DoctorCommand.self,
        BenchCommand.self,
        BenchClaimsCommand.self,
        VersionCommand.self,
    ]

    private static let usageStatus: Int32 = 64

    /// Runs the program; answers its exit status: 0, 1 for a failure, 64 for a usage error.
    static func run(_ arguments: [String]) async -> Int32 {
        guard let first = arguments.first, first != "--help", first != "help", first != "-h" else {
            print(overview)
            return arguments.isEmpty ? usageStatus : 0
        }
        guard let command = commands.first(where: { arguments.starts(with: $0.words) }) else {
            return complain("unknown command '\(first)'", usage: overview)
        }
        return await run(command, Array(arguments.dropFirst(command.words.count)))
    }

    private static func run(_ command: any Command.Type, _ arguments: [String]) async -> Int32 {
        var list = ArgumentList(arguments)
        if list.flag("--help") || list.flag("-h") {
            print(command.help)
            return 0
        }
        do {
            let prepared = try command.init(&list)
            try list.finish()
            try await prepared.run()
            return 0
        } catch let error as UsageError {
            return complain(error.message, usage: command.help)
        } catch let error as PostgresError {
            return fail(DatabaseRole.explanation(of: error, for: command.words) ?? error.description)
        } catch {
            return fail(String(describing: error))
        }
    }

    private static func complain(_ message: String, usage: String) -> Int32 {
        writeError("dispatcher: \(message)\n\(usage)\n")
        return usageStatus
    }

    private static func fail(_ message: String) -> Int32 {
        writeError("dispatcher: \(message)\n")
        return 1
    }

    private static func writeError(_ text: String) {
        var text = text
        _ = text.withUTF8 { write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }

    private static var overview: String {
        let width = commands.map { $0.words.joined(separator: " ").count }.max() ?? 0
        let lines = commands.map { command in
            let name = command.words.joined(separator: " ")
            return "  \(name)\(String(repeating: " ", count: width - name.count))  \(command.summary)"
        }
        return """
            Usage: dispatcher COMMAND [ARGUMENTS]

            A self-hosted push notification hub.

            \(lines.joined(separator: "\n"))

            'dispatcher COMMAND --help' explains a command. Settings come from the environment:
            DISPATCHER_AMQP_URL and DISPATCHER_DATABASE_URL name the two servers.
            """
    }
}
