import DispatchCore
import Testing

@Suite("Delivery outcomes")
struct DeliveryOutcomeTests {
    @Test(
        "a server error is ambiguous except where the gateway says no with it",
        arguments: [
            (Platform.apns, 500, "InternalServerError", false), (.apns, 503, "ServiceUnavailable", false),
            (.fcmV1, 500, "INTERNAL", true), (.fcmV1, 503, "UNAVAILABLE", true), (.fcmV1, 429, "QUOTA_EXCEEDED", false),
            (.browser, 503, "", true), (.browser, 502, "errno 900", true), (.browser, 410, "", false),
            (.wns, 503, "", true), (.wns, 406, "", false), (.adm, 500, "", true),
            (.hms, 500, "", true), (.hms, 503, "", false),
        ]
    )
    func serverErrors(platform: Platform, status: Int, reason: String, expected: Bool) {
        #expect(DeliveryOutcome.rejected(.init(status: status, reason: reason)).isAmbiguous(on: platform) == expected)
    }

    @Test(
        "a refusal with status 200 is a clear no, unless nobody can read it or it is an internal error",
        arguments: [
            (Platform.wns, "dropped", false), (.wns, "channelthrottled", false), (.wns, "Novel", true),
            (.wns, "", true),
            (.hms, "80100000", false), (.hms, "80600003", false), (.hms, "81000001", true), (.hms, "99999999", true),
            (.hms, "80000000", false), (.adm, "", false),
        ]
    )
    func refusals(platform: Platform, reason: String, expected: Bool) {
        #expect(DeliveryOutcome.rejected(.init(status: 200, reason: reason)).isAmbiguous(on: platform) == expected)
    }

    @Test("silence is ambiguous as far as something was sent, on every platform", arguments: Platform.allCases)
    func silence(platform: Platform) {
        #expect(DeliveryOutcome.unanswered.isAmbiguous(on: platform))
        let failure = TransportFailure(reason: "refused", mayHaveBeenSent: false)
        #expect(!DeliveryOutcome.failed(failure).isAmbiguous(on: platform))
        #expect(!DeliveryOutcome.accepted(gatewayID: nil).isAmbiguous(on: platform))
    }
}
