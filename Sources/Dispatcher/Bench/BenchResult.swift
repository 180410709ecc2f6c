/// What one piece of work took in each round.
struct BenchResult {
    let work: String
    let platform: String?

    /// How often it was done in a second of processor time, a round each, in ascending order.
    private(set) var rates: [Double] = []

    /// The bytes that came out of one turn, on average.
    private(set) var bytes = 0

    /// The allocations of one turn, on average; nil when nobody counts them.
    private(set) var allocations: Double?

    init(_ benchCase: BenchCase) {
        work = benchCase.work
        platform = benchCase.platform
    }

    mutating func add(count: Int, nanoseconds: Int, bytes: Int, allocations: UInt64?) {
        rates.append(Double(count) / Double(max(nanoseconds, 1)) * 1e9)
        rates.sort()
        self.bytes = bytes / max(count, 1)
        self.allocations = allocations.map { Double($0) / Double(max(count, 1)) }
    }

    var median: Double { rates.isEmpty ? 0 : rates[rates.count / 2] }

    var range: (low: Double, high: Double) { (rates.first ?? 0, rates.last ?? 0) }

    /// Nanoseconds of one turn, by the median.
    var nanoseconds: Double { median > 0 ? 1e9 / median : 0 }
}
