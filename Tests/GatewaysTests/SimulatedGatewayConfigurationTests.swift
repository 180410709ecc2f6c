import Gateways
import Testing

@Suite("Simulated gateway configuration")
struct SimulatedGatewayConfigurationTests {
    @Test("all items are read")
    func all() throws {
        var expected = SimulatedGateway.Configuration()
        expected.latency = .lognormal(median: .milliseconds(40), p99: .milliseconds(200))
        expected.unregistered = 0.01
        expected.unavailable = 0.02
        expected.tooLarge = 0.03
        expected.failed = 0.04
        expected.throttled = 0.05
        expected.hang = 0.06
        expected.seed = 7
        let text =
            "latency=lognormal:40ms:200ms,unregistered=0.01,unavailable=0.02,tooLarge=0.03,failed=0.04,"
            + "throttled=0.05,hang=0.06,seed=7"
        #expect(try SimulatedGateway.Configuration(parsing: text) == expected)
    }

    @Test("presets are read, and changed by what follows")
    func presets() throws {
        #expect(try SimulatedGateway.Configuration(parsing: "perfect") == .perfect)
        var expected = SimulatedGateway.Configuration.realistic
        expected.latency = .uniform(.microseconds(500)...(.seconds(1)))
        #expect(try SimulatedGateway.Configuration(parsing: "realistic,latency=uniform:500us:1s") == expected)
    }

    @Test(
        "a mistake is named with its item",
        arguments: [
            ("unregisterd=0.1", "unregisterd=0.1", "unknown name"), ("hang=2", "hang=2", "from 0 to 1"),
            ("hang=-0.1", "hang=-0.1", "from 0 to 1"), ("hang=nan", "hang=nan", "from 0 to 1"),
            ("seed=x", "seed=x", "a seed"), ("latency=fixed", "latency=fixed", "expected none"),
            ("latency=fixed:5", "latency=fixed:5", "expected none"),
            ("latency=fixed:99999999s", "latency=fixed:99999999s", "expected none"),
            ("latency=uniform:9ms:1ms", "latency=uniform:9ms:1ms", "expected none"),
            ("latency=lognormal:0ms:1ms", "latency=lognormal:0ms:1ms", "expected none"),
            ("hang=0.1,hang=0.2", "hang=0.2", "twice"), ("seed=1,perfect", "perfect", "first"),
            ("", "", "expected NAME"),
            ("hang=0.6,failed=0.6", "hang=0.6,failed=0.6", "add up"),
        ]
    )
    func mistakes(text: String, item: String, reason: String) {
        let error = #expect(throws: SimulatedGateway.ConfigurationError.self) {
            try SimulatedGateway.Configuration(parsing: text)
        }
        #expect(error?.item == item)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "no error")")
    }
}
