import Testing

@testable import AMQP

@Suite("ReconnectPolicy")
struct ReconnectPolicyTests {
    @Test("a failing broker is tried at most ten times a minute", arguments: [UInt64(1), 2, 3])
    func rate(seed: UInt64) {
        var generator = SplitMix(state: seed)
        var policy = ReconnectPolicy()
        var elapsed = Duration.zero
        var attempts = 0
        while elapsed < .seconds(60) {
            let delay = policy.delay(afterSession: .zero, using: &generator)
            #expect(delay <= .seconds(15))
            elapsed += delay
            attempts += 1
        }
        #expect(attempts <= 10, "seed \(seed)")
    }

    @Test("a connection that held brings back the short first pause, one that did not does not")
    func reset() {
        var generator = SplitMix(state: 7)
        var policy = ReconnectPolicy()
        for _ in 0..<8 { _ = policy.delay(afterSession: .seconds(5), using: &generator) }
        #expect(policy.delay(afterSession: .seconds(29), using: &generator) > .seconds(10))
        #expect(policy.delay(afterSession: .seconds(31), using: &generator) <= .milliseconds(500))
    }
}
