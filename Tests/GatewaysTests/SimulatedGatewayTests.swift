import DispatchCore
import Gateways
import Testing

@Suite("Simulated gateway", .timeLimit(.minutes(4)))
struct SimulatedGatewayTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private func gateway(_ text: String = "perfect") throws -> SimulatedGateway {
        SimulatedGateway(configuration: try .init(parsing: text), now: { Self.now })
    }

    private func outcomes(
        of requests: [PushRequest],
        from gateway: SimulatedGateway,
        within limit: Duration = .zero
    ) async -> [DeliveryOutcome?] {
        let exchange = GatewayExchange(count: requests.count)
        gateway.send(requests, exchange: exchange)
        return await exchange.outcomes(within: limit)
    }

    @Test(
        "a channel's prefix scripts the answer of each attempt",
        arguments: [
            ("ok-1", 1, Disposition.accepted), ("dead-1", 1, .unregistered), ("dead-1", 5, .unregistered),
            ("retry2-1", 1, .backoff), ("retry2-1", 2, .backoff), ("retry2-1", 3, .accepted),
            ("retry0-1", 1, .accepted), ("retry12-1", 12, .backoff), ("retry12-1", 13, .accepted),
            ("after3-1", 1, .retryAfter), ("after3-1", 2, .accepted), ("large-1", 1, .tooLarge), ("deny-1", 4, .stop),
            ("retry-1", 1, .accepted), ("retry2x", 1, .accepted), ("ok", 1, .accepted), ("", 1, .accepted),
            ("https://push.example/v1/dead-1", 1, .unregistered), ("https://push.example/", 1, .accepted),
            ("https://wns.example/?token=large-1", 1, .tooLarge), ("https://dead-1.example/x", 1, .accepted),
            (#"{"endpoint":"https://push.example/dead-1","p256dh":"B/x","auth":"/y"}"#, 1, .unregistered),
            (#"{"endpoint":"retry1-1","p256dh":"B","auth":"C"}"#, 1, .backoff), (#"{"endpoint":""#, 1, .accepted),
        ] as [(String, Int, Disposition)],
        [Platform.apns, .fcmV1]
    )
    func scripts(script: (channel: String, attempt: Int, disposition: Disposition), platform: Platform) async throws {
        let request = PushRequest.example(script.channel, platform: platform, attempt: script.attempt)
        let outcome = try #require(await outcomes(of: [request], from: try gateway())[0])
        let found = DispositionTable.disposition(of: outcome, platform: platform)
        // FCM's 503 asks to look for a Retry-After, and has none here.
        let isOverloadOnFCM = platform == .fcmV1 && script.disposition == .backoff
        #expect(found == (isOverloadOnFCM ? .retryAfter : script.disposition))
    }

    @Test("a hanging channel is never answered, the others are, before send returns")
    func hang() async throws {
        let exchange = GatewayExchange(count: 3)
        try gateway().send([.example("ok-1"), .example("hang-1"), .example("x")], exchange: exchange)
        #expect(!exchange.isComplete)
        exchange.answer(1, .unanswered)
        #expect(exchange.isComplete)
    }

    @Test("a body over the platform's limit is too large, whatever the channel says", arguments: Platform.allCases)
    func size(platform: Platform) async throws {
        let fits = PushRequest.example("ok-1", platform: platform, size: platform.payloadLimit)
        let over = PushRequest.example("ok-1", platform: platform, size: platform.payloadLimit + 1)
        let found = await outcomes(of: [fits, over], from: try gateway())
        #expect(found[0] == .accepted(gatewayID: nil))
        #expect(found[1] != .accepted(gatewayID: nil))
    }

    private static let shares = "unregistered=0.1,tooLarge=0.05,failed=0.05,unavailable=0.1,throttled=0.05,seed="

    @Test("answers depend on seed, channel and attempt, not on order or company")
    func determinism() async throws {
        let requests = (0..<2000).map { PushRequest.example("token-\($0)", attempt: 1 + $0 % 3) }
        let forward = await outcomes(of: requests, from: try gateway(Self.shares + "7"))
        let backward = await outcomes(of: requests.reversed(), from: try gateway(Self.shares + "7"))
        #expect(forward == backward.reversed())
        let alone = await outcomes(of: [requests[5]], from: try gateway(Self.shares + "7"))
        #expect(alone == [forward[5]])
        #expect(await outcomes(of: requests, from: try gateway(Self.shares + "8")) != forward)
    }

    @Test("shares are met, and a dead channel stays dead")
    func frequencies() async throws {
        let gateway = try gateway(Self.shares + "1")
        let first = await outcomes(of: (0..<20_000).map { .example("t\($0)") }, from: gateway)
        let statuses = Dictionary(first.map { ($0?.status ?? 0, 1) }, uniquingKeysWith: +)
        for (status, share) in [(410, 0.1), (413, 0.05), (400, 0.05), (503, 0.1), (429, 0.05), (200, 0.65)] {
            let found = Double(statuses[status] ?? 0) / 20_000
            #expect(abs(found - share) < 0.01, "status \(status): \(found)")
        }
        let second = await outcomes(of: (0..<20_000).map { .example("t\($0)", attempt: 2) }, from: gateway)
        #expect(zip(first, second).allSatisfy { ($0?.status == 410) == ($1?.status == 410) })
        #expect(zip(first, second).contains { $0?.status == 503 && $1?.status == 200 })
    }

    @Test(
        "with latency the answers come later and are the same",
        arguments: ["fixed:20ms", "uniform:1ms:20ms", "lognormal:5ms:20ms"]
    )
    func latency(latency: String) async throws {
        let requests = (0..<500).map { PushRequest.example("token-\($0)") }
        let instant = await outcomes(of: requests, from: try gateway(Self.shares + "7"))
        let late = try gateway(Self.shares + "7,latency=" + latency)
        let exchange = GatewayExchange(count: requests.count)
        let start = ContinuousClock.now
        late.send(requests, exchange: exchange)
        #expect(await exchange.outcomes(within: .seconds(30)) == instant)
        #expect(ContinuousClock.now - start >= (latency.hasPrefix("fixed") ? .milliseconds(20) : .milliseconds(5)))
    }
}

extension DeliveryOutcome {
    fileprivate var status: Int? {
        switch self {
        case .accepted: 200
        case .rejected(let rejection): rejection.status
        case .failed: nil
        }
    }
}
