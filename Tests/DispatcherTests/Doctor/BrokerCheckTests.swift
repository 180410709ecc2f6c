import AMQP
import Testing

@testable import Dispatcher

/// What the doctor makes of an address and of a version, without a broker.
@Suite struct BrokerCheckTests {
    @Test(
        "a numeric loopback address and localhost are this machine, a name that begins like one is not",
        arguments: [
            ("127.0.0.1", true), ("127.200.3.4", true), ("[::1]", true), ("localhost", true),
            ("127.evil.example", false),
            ("127.0.0.1.evil.example", false), ("128.0.0.1", false), ("[::2]", false), ("localhost.example", false),
        ]
    )
    func loopback(host: String, isLocal: Bool) throws {
        #expect(try AMQPEndpoint(url: "amqp://user:word@\(host):5672/%2f").isLoopback == isLocal)
    }

    @Test(
        "RabbitMQ 3.10 is the oldest that is right",
        arguments: [
            ("3.8.35", false), ("3.9.29", false), ("3.10.0", true), ("3.13.7", true), ("4.0.5", true),
            ("2.99.0", false),
            ("unknown", false),
        ]
    )
    func version(version: String, isGood: Bool) {
        let finding = BrokerCheck.version("RabbitMQ", version)
        #expect(finding.isGood == isGood)
        #expect(finding.detail.contains("3.10 or later") == !isGood)
    }
}
