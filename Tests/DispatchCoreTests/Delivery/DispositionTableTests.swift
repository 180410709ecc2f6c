import DispatchCore
import Testing

@Suite("Dispositions")
struct DispositionTableTests {
    @Test("every reason Apple documents has a row")
    func documentedReasons() {
        let reasons = Set(DispositionTable.rows.filter { $0.platform == .apns }.map(\.reason))
        let documented: Set = [
            "BadCollapseId", "BadDeviceToken", "BadExpirationDate", "BadMessageId", "BadPriority", "BadTopic",
            "DeviceTokenNotForTopic", "DuplicateHeaders", "IdleTimeout", "InvalidPushType", "MissingDeviceToken",
            "MissingTopic", "PayloadEmpty", "TopicDisallowed", "BadCertificate", "BadCertificateEnvironment",
            "ExpiredProviderToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
            "UnrelatedKeyIdInToken", "BadEnvironmentKeyIdInToken", "BadPath", "MethodNotAllowed", "ExpiredToken",
            "Unregistered", "PayloadTooLarge", "TooManyProviderTokenUpdates", "TooManyRequests",
            "InternalServerError", "ServiceUnavailable", "Shutdown",
        ]
        #expect(documented.subtracting(reasons) == [])
    }

    @Test(
        "the answers that matter most are what the vendors say",
        arguments: [
            (Platform.apns, 410, "Unregistered", Disposition.unregistered), (.apns, 400, "BadDeviceToken", .suspect),
            (.apns, 403, "InvalidProviderToken", .stop), (.apns, 403, "ExpiredProviderToken", .reauthenticate),
            (.apns, 413, "PayloadTooLarge", .tooLarge), (.apns, 503, "Shutdown", .reconnect),
            (.fcmV1, 404, "UNREGISTERED", .unregistered), (.fcmV1, 404, "NOT_FOUND", .stop),
            (.fcmV1, 400, "INVALID_ARGUMENT", .failed), (.fcmV1, 401, "UNAUTHENTICATED", .reauthenticate),
            (.fcmV1, 429, "QUOTA_EXCEEDED", .retryAfter), (.fcmV1, 503, "UNAVAILABLE", .retryAfter),
            (.browser, 410, "", .unregistered), (.wns, 410, "domain blocked", .stop),
        ]
    )
    func known(platform: Platform, status: Int, reason: String, expected: Disposition) {
        #expect(disposition(platform, status, reason) == expected)
    }

    @Test("an unknown reason goes by the class of its status and never retires a device on APNs or FCM")
    func unknown() {
        for platform in [Platform.apns, .fcmV1] {
            for status in 400..<600 {
                #expect(disposition(platform, status, "NewReason") != .unregistered)
            }
        }
        #expect(disposition(.apns, 410, "NewReason") == .failed)
        #expect(disposition(.apns, 418, "") == .failed)
        #expect(disposition(.apns, 429, "NewReason") == .retryAfter)
        #expect(disposition(.apns, 413, "NewReason") == .tooLarge)
        #expect(disposition(.apns, 599, "NewReason") == .backoff)
        #expect(disposition(.hms, 503, "") == .backoff)
    }

    @Test("a Retry-After is honoured where backing off would do")
    func retryAfter() {
        let rejection = GatewayRejection(status: 503, reason: "ServiceUnavailable", retryAfter: .seconds(7))
        let outcome = DeliveryOutcome.rejected(rejection)
        #expect(DispositionTable.disposition(of: outcome, platform: .apns) == .retryAfter)
        #expect(DispositionTable.retryAfter(of: outcome, platform: .apns) == .seconds(7))
    }

    @Test("a gateway's own Retry-After comes before the pause that is usual")
    func retryAfterWins() {
        let rejection = GatewayRejection(status: 406, reason: "", retryAfter: .seconds(7))
        #expect(DispositionTable.retryAfter(of: .rejected(rejection), platform: .wns) == .seconds(7))
        let silent = DeliveryOutcome.rejected(.init(status: 406, reason: ""))
        #expect(DispositionTable.retryAfter(of: silent, platform: .wns) == .seconds(3600))
    }

    @Test("FCM's 429 without Retry-After waits a minute, other answers do not")
    func quotaMinute() {
        func pause(_ status: Int, _ platform: Platform) -> Duration? {
            DispositionTable.retryAfter(of: .rejected(.init(status: status, reason: "")), platform: platform)
        }
        #expect(pause(429, .fcmV1) == .seconds(60))
        #expect(pause(503, .fcmV1) == nil)
        #expect(pause(429, .apns) == nil)
    }

    @Test("no answer at all is tried again, an accepted push is not")
    func others() {
        #expect(DispositionTable.disposition(of: .unanswered, platform: .apns) == .backoff)
        #expect(DispositionTable.disposition(of: .accepted(gatewayID: "x"), platform: .fcmV1) == .accepted)
    }

    private func disposition(_ platform: Platform, _ status: Int, _ reason: String) -> Disposition {
        DispositionTable.disposition(of: .rejected(.init(status: status, reason: reason)), platform: platform)
    }
}
