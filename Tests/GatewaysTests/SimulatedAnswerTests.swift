import DispatchCore
import Gateways
import Testing

@Suite("Simulated answers, platform by platform")
struct SimulatedAnswerTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    private func outcome(_ channel: String, _ platform: Platform, attempt: Int = 1) async throws -> DeliveryOutcome {
        let exchange = GatewayExchange(count: 1)
        let request = PushRequest.example(channel, platform: platform, attempt: attempt)
        SimulatedGateway(now: { Self.now }).send([request], exchange: exchange)
        return try #require(await exchange.outcomes(within: .zero)[0])
    }

    private func result(_ channel: String, _ platform: Platform, attempt: Int = 1) async throws -> DeliveryResult {
        // In a box, which has an address; the generator has no size, and ThreadSanitizer is told of a wrong one.
        var generator: any RandomNumberGenerator = SystemRandomNumberGenerator()
        return DeliveryResult.decide(
            outcome: try await outcome(channel, platform, attempt: attempt),
            platform: platform,
            attempt: attempt,
            wasAmbiguous: false,
            policy: RetryPolicy(),
            now: Self.now,
            expiresAt: nil,
            guarantee: .atLeastOnce,
            using: &generator
        )
    }

    /// Status and word of dead, overloaded, throttled, too large and denied.
    private static let words: [Platform: [(Int, String)]] = [
        .apns: [
            (410, "Unregistered"), (503, "ServiceUnavailable"), (429, "TooManyRequests"), (413, "PayloadTooLarge"),
            (403, "InvalidProviderToken"),
        ],
        .fcmV1: [
            (404, "UNREGISTERED"), (503, "UNAVAILABLE"), (429, "QUOTA_EXCEEDED"), (400, "INVALID_ARGUMENT(size)"),
            (403, "PERMISSION_DENIED"),
        ],
        .browser: [(410, ""), (503, ""), (429, ""), (413, ""), (403, "")],
        .wns: [(410, ""), (503, ""), (406, ""), (413, ""), (403, "")],
        .adm: [
            (400, "Unregistered"), (503, ""), (429, "MaxRateExceeded"), (413, "MessageTooLarge"),
            (401, "AccessTokenExpired"),
        ],
        .hms: [(200, "80100000"), (503, ""), (503, ""), (200, "80300008"), (200, "80300002")],
    ]

    @Test("answers are in each vendor's words", arguments: Platform.allCases)
    func words(platform: Platform) async throws {
        let expected = try #require(Self.words[platform])
        let channels = ["dead-1", "retry1-1", "after3-1", "large-1", "deny-1"]
        for (channel, (status, reason)) in zip(channels, expected) {
            let rejection = GatewayRejection(
                status: status,
                reason: reason,
                retryAfter: channel == "after3-1" ? .seconds(3) : nil,
                invalidSince: channel == "dead-1" && platform == .apns ? Self.now : nil
            )
            #expect(try await outcome(channel, platform) == .rejected(rejection), "\(channel)")
        }
    }

    @Test("dead- ends the delivery and retires the device", arguments: Platform.allCases)
    func dead(platform: Platform) async throws {
        let result = try await result("dead-1", platform)
        #expect(result.state == .failed && result.disposition == .unregistered && !result.isAmbiguous)
        #expect(try #require(result.retire).invalidSince == (platform == .apns ? Self.now : nil))
    }

    @Test("retryN- is tried again within the policy's pauses until it is accepted", arguments: Platform.allCases)
    func retry(platform: Platform) async throws {
        for attempt in 1...2 {
            let result = try await result("retry2-1", platform, attempt: attempt)
            let next = try #require(result.nextAttemptAt)
            #expect(result.state == .retrying && result.attempts == attempt && result.retire == nil)
            #expect(next - Self.now <= RetryPolicy().longestDelay(afterAttempt: attempt))
        }
        #expect(try await result("retry2-1", platform, attempt: 3).state == .accepted)
    }

    @Test("afterN- waits for N seconds and is accepted then", arguments: Platform.allCases)
    func after(platform: Platform) async throws {
        let result = try await result("after3-1", platform)
        let wait = try #require(result.nextAttemptAt) - Self.now
        #expect(result.disposition == .retryAfter && wait >= .seconds(3) && wait <= .seconds(3.3))
        #expect(result.scope != .none && result.retire == nil)
        #expect(try await self.result("after3-1", platform, attempt: 2).state == .accepted)
    }

    @Test("large- ends the delivery and lets the device be", arguments: Platform.allCases)
    func large(platform: Platform) async throws {
        let result = try await result("large-1", platform)
        #expect(result.state == .failed && result.disposition == .tooLarge && result.device == .keep)
    }

    @Test("deny- parks the push without using attempts up, after one new credential where there is one to get")
    func deny() async throws {
        for platform in Platform.allCases {
            for attempt in 1...4 {
                let result = try await result("deny-1", platform, attempt: attempt)
                let next = try #require(result.nextAttemptAt)
                #expect(result.state == .retrying && result.device == .keep && result.scope == .credential)
                let isFirstOfADM = platform == .adm && attempt == 1
                #expect(result.attempts == (isFirstOfADM ? 1 : attempt - 1), "\(platform) \(attempt)")
                #expect((next - Self.now >= .seconds(300)) == !isFirstOfADM, "\(platform) \(attempt)")
            }
        }
    }

    @Test("every answer has a row of its own", arguments: Platform.allCases)
    func rows(platform: Platform) async throws {
        for channel in ["dead-1", "retry1-1", "after3-1", "large-1", "deny-1"] {
            guard case .rejected(let rejection) = try await outcome(channel, platform) else {
                Issue.record("\(channel) was not refused")
                continue
            }
            let hasRow = DispositionTable.rows.contains {
                $0.platform == platform && $0.status == rejection.status && $0.reason == rejection.reason
            }
            #expect(hasRow, "\(channel)")
        }
    }
}
