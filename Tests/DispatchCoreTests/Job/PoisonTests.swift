import DispatchCore
import Testing

/// Bodies that have killed or split other systems: all are answered, none crashes.
@Suite struct PoisonTests {
    static let corpus: [[UInt8]] = [
        [],
        [0],
        Array(repeating: 0x20, count: 16 << 20),
        Array(String(repeating: "[", count: 513).utf8),
        Array(String(repeating: "{\"a\":", count: 20_000).utf8),
        Array(String(repeating: "[", count: 1 << 20).utf8),
        [0x7B, 0x22, 0xFF, 0xFE, 0x22, 0x3A, 0x31, 0x7D],
        [0xEF, 0xBB, 0xBF, 0x7B, 0x7D],
        [0xFF, 0xFE, 0x7B, 0x00, 0x7D, 0x00],
        Array(#"{"id":"\u0000"}"#.utf8),
        Array("{\"id\":\"a\u{0}b\"}".utf8),
        Array(#"{"id":"\ud800"}"#.utf8),
        Array(#"{"to":{"broadcast":true},"to":{"users":["x"]}}"#.utf8),
        Array(#"{"content":{"data":{"n":1e100000}}}"#.utf8),
        Array(#"{"content":{"data":{"n":-1e400000}}}"#.utf8),
        Array(#"{"content":{"badge":1e2}}"#.utf8),
        Array(#"{"to":{"tags":"\#(String(repeating: "NOT ", count: 4_000))x"}}"#.utf8),
        Array(#"{"to":{"tags":"\#(String(repeating: "!", count: 10_000))x"}}"#.utf8),
        Array(#"{"to":{"tags":"\#(String(repeating: "(", count: 10_000))"}}"#.utf8),
        Array(#"{"to":{"tags":"\#((0..<10_000).map { "t\($0)" }.joined(separator: "||"))"}}"#.utf8),
        Array(#"{"to":{"tags":"'; DROP TABLE installation; --"}}"#.utf8),
        Array(#"{"to":{"tags":"a%"}}"#.utf8),
        Array(#"{"to":{"tags":"*a*a*a*a*a*a*a*a*b"}}"#.utf8),
        Array(#"{"version":9,"to":{"broadcast":true}}"#.utf8),
    ]

    @Test("every poison is refused as a job and as an installation", arguments: corpus.indices)
    func refusal(index: Int) {
        let clock = ContinuousClock()
        let time = clock.measure {
            #expect(throws: JobError.self) { try SendJob(decoding: Self.corpus[index], messageID: SendJobTests.id) }
            #expect(throws: InstallationError.self) { try Installation(decoding: Self.corpus[index]) }
        }
        #expect(time < .seconds(60))
    }

    @Test("no mutated job or installation crashes the decoder")
    func fuzz() {
        var generator = SplitMix(seed: 2_025)
        let job = Array(Measurement.job.utf8)
        let installation = Array(Measurement.installation.utf8)
        var accepted = 0
        for _ in 0..<60_000 {
            if (try? SendJob(decoding: job.mutated(using: &generator), messageID: nil)) != nil { accepted += 1 }
            if (try? Installation(decoding: installation.mutated(using: &generator))) != nil { accepted += 1 }
        }
        #expect(accepted > 1_000, "the mutations are too hard to reach the decoder")
        #expect(accepted < 119_000, "the mutations are too soft to be refused")
    }
}
