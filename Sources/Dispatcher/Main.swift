import Glibc

/// The program: picks the command, runs it, and turns how it ended into an exit status.
@main
enum Main {
    static func main() async {
        signal(SIGPIPE, SIG_IGN)
        exit(await CommandLineProgram.run(Array(CommandLine.arguments.dropFirst())))
    }
}
