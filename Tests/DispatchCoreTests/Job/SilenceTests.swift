import Testing

@testable import DispatchCore

@Suite struct SilenceTests {
    @Test(
        "a content is silent when it shows nothing and is not heard",
        arguments: [
            (#"{"title":"x"}"#, false), (#"{"body":"x"}"#, false), (#"{"sound":"default"}"#, false),
            (#"{"data":{"a":1}}"#, true), (#"{"badge":3}"#, true), (#"{"data":{"a":1},"badge":"unread"}"#, true),
        ]
    )
    func neutral(content: String, isSilent: Bool) throws {
        let body = #"{"to":{"broadcast":true},"content":\#(content)}"#
        let job = try SendJob(decoding: Array(body.utf8), messageID: "0193f2c4-7d1e-7abc-8def-0123456789ab")
        for platform in Platform.allCases { #expect(job.content.isSilent(on: platform) == isSilent) }
    }

    @Test(
        "a native payload is silent by the words of its platform, and a browser's never is",
        arguments: [
            (Platform.apns, #"{"aps":{"content-available":1},"x":1}"#, true),
            (.apns, #"{"aps":{"badge":1}}"#, true), (.apns, #"{"aps":{"alert":"x"}}"#, false),
            (.apns, #"{"aps":{"sound":"default"}}"#, false),
            (.fcmV1, #"{"message":{"data":{"a":"1"}}}"#, true),
            (.fcmV1, #"{"message":{"notification":{"title":"x"}}}"#, false),
            (.fcmV1, #"{"android":{"notification":{"title":"x"}}}"#, false),
            (.hms, #"{"message":{"android":{"notification":{"title":"x"}}}}"#, false),
            (.hms, #"{"message":{"data":"x"}}"#, true), (.adm, #"{"data":{"a":"1"}}"#, true),
            (.adm, #"{"notification":{"title":"x"}}"#, false), (.browser, #"{"a":1}"#, false),
            (.wns, #""<toast><visual/></toast>""#, false), (.wns, #""<badge value='1'/>""#, true),
            (.wns, #"{"a":1}"#, true),
        ]
    )
    func native(platform: Platform, payload: String, isSilent: Bool) throws {
        let content = JobContent.native([platform: try JSONParser.parse(Array(payload.utf8))])
        #expect(content.isSilent(on: platform) == isSilent)
    }

    @Test("a template may show something")
    func template() {
        #expect(Platform.allCases.allSatisfy { !JobContent.template([]).isSilent(on: $0) })
    }

    @Test("a delivery that is deferred has no attempt, and waits no longer than until its end")
    func deferred() {
        let (soon, late) = (Timestamp(seconds: 1_000), Timestamp(seconds: 2_000))
        for (moment, end) in [(soon, late), (late, soon)] {
            let result = DeliveryResult.deferred(until: moment, reason: "QuietHours", attempts: 2, expiresAt: end)
            #expect(result.nextAttemptAt == soon && result.state == .retrying && result.attempts == 2)
            #expect(result.isParked && result.reason == "QuietHours" && result.retire == nil && !result.isAmbiguous)
        }
    }
}
