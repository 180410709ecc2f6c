import DispatchCore
import Testing

@Suite("Delivery results")
struct DeliveryResultTests {
    private let now = Timestamp(seconds: 1_700_000_000)

    @Test("an accepted push ends well, whatever came before")
    func accepted() {
        let result = decide(.accepted(gatewayID: nil), attempt: 3, wasAmbiguous: true)
        #expect(result.state == .accepted)
        #expect(result.attempts == 3)
        #expect(result.isAmbiguous)
        #expect(result.reason == nil && result.nextAttemptAt == nil && result.retire == nil)
    }

    @Test("a push accepted under another address hands the new one on")
    func newChannel() {
        let result = decide(.accepted(gatewayID: nil, newChannel: "canonical"), platform: .adm)
        #expect(result.state == .accepted && result.newChannel == "canonical" && result.device == .replaceChannel)
        #expect(decide(.accepted(gatewayID: nil), platform: .adm).device == .keep)
    }

    @Test("a word of success among the refusals is no reason")
    func wordOfSuccess() {
        let result = decide(.rejected(.init(status: 200, reason: "80000000")), platform: .hms)
        #expect(result.state == .accepted && result.reason == nil && !result.isAmbiguous)
    }

    @Test("a success nobody can read fails with its word instead of passing for accepted")
    func unreadableSuccess() {
        for platform in [Platform.wns, .hms] {
            let result = decide(.rejected(.init(status: 200, reason: "Novel")), platform: platform)
            #expect(result.state == .failed && result.reason == "Novel" && result.isAmbiguous && result.retire == nil)
        }
    }

    @Test("a dead channel fails the delivery and retires the device as of the gateway's instant")
    func unregistered() {
        let since = Timestamp(seconds: 1_600_000_000)
        let rejection = GatewayRejection(status: 410, reason: "Unregistered", invalidSince: since)
        let result = decide(.rejected(rejection))
        #expect(result.state == .failed)
        #expect(result.retire == Retirement(reason: "Unregistered", invalidSince: since))
    }

    @Test(
        "nothing but the clear word of death retires a device",
        arguments: [
            (Platform.apns, 400, "BadDeviceToken"), (.apns, 413, "PayloadTooLarge"), (.apns, 410, "Novel"),
            (.fcmV1, 404, "NOT_FOUND"), (.fcmV1, 400, "INVALID_ARGUMENT"), (.fcmV1, 403, "SENDER_ID_MISMATCH"),
        ]
    )
    func notRetired(platform: Platform, status: Int, reason: String) {
        let result = decide(.rejected(.init(status: status, reason: reason)), platform: platform)
        #expect(result.retire == nil)
    }

    @Test("a clear no is tried again without being ambiguous, even at most once")
    func clearRetry() {
        let outcome = DeliveryOutcome.rejected(.init(status: 503, reason: "ServiceUnavailable"))
        for guarantee in [DeliveryGuarantee.atLeastOnce, .atMostOnce] {
            let result = decide(outcome, guarantee: guarantee)
            #expect(result.state == .retrying)
            #expect(!result.isAmbiguous)
            #expect(result.nextAttemptAt.map { $0 > now } == true)
            #expect(result.reason == "ServiceUnavailable")
        }
    }

    @Test(
        "an ambiguous attempt is repeated and flagged, or closed as unknown",
        arguments: [
            (Platform.apns, DeliveryOutcome.unanswered),
            (.fcmV1, .rejected(.init(status: 503, reason: "UNAVAILABLE"))),
            (.fcmV1, .rejected(.init(status: 502, reason: ""))),
        ]
    )
    func ambiguous(platform: Platform, outcome: DeliveryOutcome) {
        let again = decide(outcome, platform: platform)
        #expect(again.state == .retrying)
        #expect(again.isAmbiguous)
        let closed = decide(outcome, platform: platform, guarantee: .atMostOnce)
        #expect(closed.state == .unknown)
        #expect(closed.isAmbiguous)
        #expect(closed.nextAttemptAt == nil)
    }

    @Test("a push that was certainly not sent is tried again even at most once")
    func notSent() {
        let outcome = DeliveryOutcome.failed(.init(reason: "refused", mayHaveBeenSent: false))
        let result = decide(outcome, guarantee: .atMostOnce)
        #expect(result.state == .retrying)
        #expect(!result.isAmbiguous)
    }

    @Test("a stopped channel does not burn an attempt")
    func stop() {
        let result = decide(.rejected(.init(status: 403, reason: "InvalidProviderToken")), attempt: 8)
        #expect(result.state == .retrying)
        #expect(result.attempts == 7)
        #expect(result.disposition == .stop)
    }

    @Test("used-up attempts fail, a near expiry expires")
    func ends() {
        let outcome = DeliveryOutcome.rejected(.init(status: 500, reason: ""))
        #expect(decide(outcome, attempt: 8).state == .failed)
        #expect(decide(outcome, attempt: 8).reason == "HTTP 500")
        #expect(decide(outcome, expiresAt: now + .milliseconds(50)).state == .expired)
    }

    @Test("a delivery that ends without another attempt keeps what earlier ones left")
    func ended() {
        let result = DeliveryResult.ended(.expired, reason: nil, attempts: 2, wasAmbiguous: true)
        #expect(result.state == .expired && result.attempts == 2 && result.isAmbiguous)
        #expect(result.nextAttemptAt == nil && result.retire == nil && result.disposition == nil)
    }

    @Test("a next attempt is planned exactly while retrying", arguments: 0..<200)
    func invariant(seed: Int) {
        var generator = SplitMix(seed: UInt64(seed))
        let row = generator.pick(DispositionTable.rows)
        let result = DeliveryResult.decide(
            outcome: .rejected(.init(status: row.status, reason: row.reason)),
            platform: row.platform,
            attempt: 1 + generator.below(9),
            wasAmbiguous: Bool.random(using: &generator),
            policy: RetryPolicy(),
            now: now,
            expiresAt: generator.below(2) == 0 ? nil : now + .seconds(generator.below(20)),
            guarantee: generator.pick([.atLeastOnce, .atMostOnce]),
            using: &generator
        )
        #expect((result.state == .retrying) == (result.nextAttemptAt != nil), "seed \(seed)")
        #expect((result.retire != nil) == row.consequence.device.isRetirement, "seed \(seed)")
    }

    private func decide(
        _ outcome: DeliveryOutcome,
        platform: Platform = .apns,
        attempt: Int = 1,
        wasAmbiguous: Bool = false,
        expiresAt: Timestamp? = nil,
        guarantee: DeliveryGuarantee = .atLeastOnce
    ) -> DeliveryResult {
        var generator = SplitMix(seed: 1)
        return DeliveryResult.decide(
            outcome: outcome,
            platform: platform,
            attempt: attempt,
            wasAmbiguous: wasAmbiguous,
            policy: RetryPolicy(),
            now: now,
            expiresAt: expiresAt,
            guarantee: guarantee,
            using: &generator
        )
    }
}
