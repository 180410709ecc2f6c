import DispatchCore
import Testing

/// Generated and broken documents through everything that reads what comes from outside.
///
/// `scripts/fuzz` runs many in release mode; `DISPATCHER_FUZZ_COUNT` and `DISPATCHER_FUZZ_SEED` play a run again.
@Suite("Fuzz", .serialized)
struct FuzzTests {
    private static let count = environmentNumber("DISPATCHER_FUZZ_COUNT") ?? 1_500
    private static let seed = environmentNumber("DISPATCHER_FUZZ_SEED") ?? 2_026

    @Test("no input crashes, and every refusal has a name")
    func fuzz() {
        var gauntlet = FuzzGauntlet()
        var slowest: (time: Duration, number: UInt64) = (.zero, 0)
        let recorder = FuzzRecorder()
        let clock = ContinuousClock()
        let start = clock.now
        for number in 0..<Self.count {
            let input = FuzzInput(seed: Self.seed, number: number)
            recorder.record(input.bytes, number: number)
            let time = clock.measure { gauntlet.run(input) }
            if time > slowest.time { slowest = (time, number) }
            guard let complaint = gauntlet.complaint else { continue }
            Issue.record("seed \(Self.seed), input \(number): \(complaint)\n\(input.hexadecimal)")
        }
        print(report(gauntlet.counts, time: clock.now - start, slowest: slowest))
        #expect(slowest.time < .seconds(60), "seed \(Self.seed), input \(slowest.number)")
        for kind in FuzzInput.Kind.allCases {
            #expect(
                gauntlet.counts.share(kind.rawValue) >= 30,
                "too few of kind \(kind.rawValue) get past their decoder"
            )
            #expect(gauntlet.counts.share(kind.rawValue) <= 95, "too few of kind \(kind.rawValue) are refused")
        }
    }

    private func report(_ counts: FuzzCounts, time: Duration, slowest: (time: Duration, number: UInt64)) -> String {
        let seconds = Double(time.microseconds) / 1e6
        return """
            fuzz: \(Self.count) inputs, seed \(Self.seed), \(seconds) s, \(Int(Double(Self.count) / seconds)) inputs/s, \
            slowest \(slowest.time.microseconds) µs (input \(slowest.number)), \(counts.codes.count) kinds of refusal
            \(counts.table)
            """
    }
}
