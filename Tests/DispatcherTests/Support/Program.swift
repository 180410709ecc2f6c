import Foundation
import Synchronization

/// The built program as a process of its own, with its output in files.
final class Program: Sendable {
    enum Exit: Sendable, Equatable {
        case status(Int32)
        case signal(Int32)
    }

    let pid: pid_t
    private let outputPath: String
    private let errorPath: String
    private let ended = Mutex<Exit?>(nil)

    /// Beside the test bundle, where the build puts it.
    static let path: String = {
        let bundle = (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe")) ?? ""
        let beside = URL(fileURLWithPath: bundle).deletingLastPathComponent().appendingPathComponent("dispatcher").path
        if FileManager.default.isExecutableFile(atPath: beside) { return beside }
        return URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent().path
            + "/.build/debug/dispatcher"
    }()

    /// The environment of a child: what it is given, and what has it watched by the sanitizer that watches this process.
    static func surroundings(_ given: [String: String]) -> [String: String] {
        let sanitizer = ["LD_PRELOAD", "TSAN_OPTIONS", "ASAN_OPTIONS", "LSAN_OPTIONS", "SWIFT_BACKTRACE"]
        let inherited = ProcessInfo.processInfo.environment.filter { sanitizer.contains($0.key) }
        return inherited.merging(["PATH": "/usr/bin:/bin"]) { $1 }.merging(given) { $1 }
    }

    init(_ arguments: [String], environment: [String: String] = [:], input: String? = nil) throws {
        let stem = NSTemporaryDirectory() + "dispatcher-program-\(UInt32.random(in: 0 ... .max))"
        outputPath = stem + ".out"
        errorPath = stem + ".err"
        if let input { try Data(input.utf8).write(to: URL(fileURLWithPath: stem + ".in")) }
        pid = try Self.spawn(
            [Self.path] + arguments,
            environment: Self.surroundings(environment).map { "\($0)=\($1)" },
            files: [input == nil ? "/dev/null" : stem + ".in", outputPath, errorPath]
        )
    }

    deinit {
        if ended.withLock({ $0 == nil }) {
            kill(pid, SIGKILL)
            waitpid(pid, nil, 0)
        }
        for path in [outputPath, errorPath] { unlink(path) }
    }

    private static func spawn(_ arguments: [String], environment: [String], files: [String]) throws -> pid_t {
        var actions = posix_spawn_file_actions_t()
        posix_spawn_file_actions_init(&actions)
        defer { posix_spawn_file_actions_destroy(&actions) }
        for (descriptor, file) in files.enumerated() {
            let flags = descriptor == 0 ? O_RDONLY : O_WRONLY | O_CREAT | O_TRUNC
            posix_spawn_file_actions_addopen(&actions, Int32(descriptor), file, flags, 0o644)
        }
        let argv = arguments.map { strdup($0) } + [nil]
        let envp = environment.map { strdup($0) } + [nil]
        defer { for text in argv + envp { free(text) } }
        var pid: pid_t = 0
        let code = posix_spawn(&pid, arguments[0], &actions, nil, argv, envp)
        guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: code) ?? .ENOENT) }
        return pid
    }

    func signal(_ number: Int32) {
        ended.withLock { if $0 == nil { _ = kill(pid, number) } }
    }

    /// How it has ended; nil while it runs.
    var exit: Exit? {
        ended.withLock { ended in
            if let ended { return ended }
            var status: Int32 = 0
            guard waitpid(pid, &status, WNOHANG) == pid else { return nil }
            ended = status & 0x7F == 0 ? .status(status >> 8 & 0xFF) : .signal(status & 0x7F)
            return ended
        }
    }

    /// Waits for the end; nil when it still runs after the limit.
    func exit(within limit: Duration) async -> Exit? {
        _ = await eventually(within: limit) { exit != nil }
        return exit
    }

    var output: String { Self.text(outputPath) }
    var errors: String { Self.text(errorPath) }

    private static func text(_ path: String) -> String {
        String(decoding: FileManager.default.contents(atPath: path) ?? Data(), as: UTF8.self)
    }

    /// Runs to the end.
    static func run(
        _ arguments: [String],
        environment: [String: String] = [:],
        input: String? = nil
    ) async throws -> (exit: Exit?, output: String, errors: String) {
        let program = try Program(arguments, environment: environment, input: input)
        let exit = await program.exit(within: .seconds(30))
        return (exit, program.output, program.errors)
    }
}
