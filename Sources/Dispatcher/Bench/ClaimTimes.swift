import DispatchCore

/// How long each call of each step took, in microseconds, by the clock on the wall.
final class ClaimTimes {
    private(set) var samples: [ClaimStep: [Int]] = [:]

    /// Runs the body and notes its time; one that fails has none.
    func measure<Value>(_ step: ClaimStep, _ body: () async throws -> Value) async rethrows -> Value {
        let start = ContinuousClock.now
        let value = try await body()
        samples[step, default: []].append(Int((ContinuousClock.now - start).microseconds))
        return value
    }
}
