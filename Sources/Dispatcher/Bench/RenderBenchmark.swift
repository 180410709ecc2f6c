import Glibc

/// Lets all pieces of work take turns, so that whatever the machine does meanwhile meets all of them.
struct RenderBenchmark {
    private let cases: [BenchCase]
    private let nanosecondsPerTurn: Int
    private let allocations = AllocationCounter()

    /// An odd number: the median is one of them.
    static let rounds = 5

    /// Spends about `seconds` on all `cases` together.
    init(cases: [BenchCase], seconds: Int) {
        self.cases = cases
        nanosecondsPerTurn = seconds * 1_000_000_000 / (max(cases.count, 1) * Self.rounds)
    }

    func run() throws -> [BenchResult] {
        let counts = try cases.map { try count(for: $0) }
        var results = cases.map { BenchResult($0) }
        for _ in 0..<Self.rounds {
            for index in cases.indices {
                try measure(cases[index], count: counts[index], into: &results[index])
            }
        }
        return results
    }

    private func measure(_ benchCase: BenchCase, count: Int, into result: inout BenchResult) throws {
        let allocationsBefore = allocations.count
        let start = Self.processorTime()
        let bytes = try benchCase.run(count)
        let nanoseconds = Self.processorTime() - start
        let allocated = allocations.count.flatMap { after in allocationsBefore.map { after - $0 } }
        result.add(count: count, nanoseconds: nanoseconds, bytes: bytes, allocations: allocated)
    }

    /// How often the work fits into one turn, found by doubling, which warms it up too.
    private func count(for benchCase: BenchCase) throws -> Int {
        var count = 1
        while true {
            let start = Self.processorTime()
            _ = try benchCase.run(count)
            let nanoseconds = Self.processorTime() - start
            if nanoseconds > nanosecondsPerTurn / 8 {
                return max(1, count * nanosecondsPerTurn / nanoseconds)
            }
            count *= 2
        }
    }

    /// The processor time of this thread: other programs on the machine do not count.
    private static func processorTime() -> Int {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        return time.tv_sec * 1_000_000_000 + time.tv_nsec
    }
}
