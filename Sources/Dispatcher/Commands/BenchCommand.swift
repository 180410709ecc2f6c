/// Measures how fast one thread renders, without any server.
struct BenchCommand: Command {
    static let words = ["bench", "render"]
    static let summary = "measure how fast one thread renders"
    static let help = """
        Usage: dispatcher bench render [--seconds N] [--json]

        Measures on one thread, for each platform: a push rendered from scratch, what a batch then does for each device,
        a push in three languages, and a device's own template; then decoding and checking of a job. The work of all
        takes turns in five rounds of together N seconds (20), by the thread's processor time. Prints a table of medians
        with their range, or one JSON object. Allocations are counted when scripts/bench starts it ('-' otherwise).

        It needs neither server nor settings.
        """

    private let seconds: Int
    private let isJSON: Bool

    init(_ arguments: inout ArgumentList) throws(UsageError) {
        seconds = try arguments.integer("--seconds", in: 1...3_600) ?? 20
        isJSON = arguments.flag("--json")
    }

    func run() async throws {
        let results = try RenderBenchmark(cases: BenchCase.all(), seconds: seconds).run()
        print(isJSON ? BenchReport.json(results) : BenchReport.table(results))
    }
}
