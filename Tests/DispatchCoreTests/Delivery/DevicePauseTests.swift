import DispatchCore
import Testing

@Suite("Pauses of one device")
struct DevicePauseTests {
    private static let now = Timestamp(seconds: 1_700_000_000)

    @Test(
        "an answer about the device that names a pause is one, up to the longest",
        arguments: [
            (.apns, 429, "TooManyRequests", .seconds(30), 30), (.apns, 429, "NewReason", .seconds(30), 30),
            (.apns, 429, "TooManyRequests", .seconds(7200), 3600), (.browser, 429, "TooManyRequests", .seconds(5), 5),
            (.wns, 200, "channelthrottled", nil, 600), (.wns, 412, "", nil, 3600), (.wns, 412, "", .seconds(1), 1),
            (.apns, 429, "TooManyRequests", nil, nil), (.apns, 429, "TooManyRequests", .zero, nil),
            (.fcmV1, 429, "QUOTA_EXCEEDED", .seconds(30), nil), (.browser, 429, "", .seconds(30), nil),
            (.apns, 503, "ServiceUnavailable", .seconds(30), nil), (.apns, 410, "Unregistered", .seconds(30), nil),
        ] as [(Platform, Int, String, Duration?, Int?)]
    )
    func pauses(_ platform: Platform, _ status: Int, _ reason: String, _ retryAfter: Duration?, _ seconds: Int?) {
        var generator = SplitMix(seed: 1)
        let result = DeliveryResult.decide(
            outcome: .rejected(GatewayRejection(status: status, reason: reason, retryAfter: retryAfter)),
            platform: platform,
            attempt: 8,
            wasAmbiguous: false,
            policy: RetryPolicy(),
            now: Self.now,
            expiresAt: nil,
            guarantee: .atLeastOnce,
            using: &generator
        )
        #expect(result.devicePause(from: Self.now) == seconds.map { Self.now + .seconds($0) })
    }
}
