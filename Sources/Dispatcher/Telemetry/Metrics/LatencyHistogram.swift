/// How long things took, counted by steps.
struct LatencyHistogram: Sendable {
    /// The upper ends of the steps, in seconds; one more step has what is longer.
    static let bounds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60]

    private(set) var counts = [Int](repeating: 0, count: bounds.count + 1)

    /// All of it together, in seconds.
    private(set) var sum = 0.0

    mutating func add(_ duration: Duration) {
        let seconds = max(0, duration / .seconds(1))
        counts[Self.bounds.firstIndex { seconds <= $0 } ?? Self.bounds.count] += 1
        sum += seconds
    }
}
