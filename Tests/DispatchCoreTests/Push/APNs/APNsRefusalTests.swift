import DispatchCore
import Testing

@Suite("What Apple refuses")
struct APNsRefusalTests {
    private static let text = #""content":{"title":"x"}"#
    private static let data = #""content":{"data":{"a":1}}"#
    private static let activity = #""content":{"title":"x","liveActivity":{"event":"update","contentState":{}}}"#

    @Test(
        "a push type that does not fit the content is refused",
        arguments: [
            (data, "alert"), (#""content":{"rich":{"id":1}}"#, "alert"),
            (text, "background"), (#""content":{"badge":0}"#, "background"),
            (#""content":{"sound":"a"}"#, "background"),
            (text, "location"), (text, "complication"), (text, "fileprovider"), (text, "widgets"), (text, "controls"),
            (text, "mdm"), (data, "mdm"), (text, "liveactivity"), (data, "liveactivity"),
            (activity, "alert"), (activity, "background"), (activity, "voip"), (activity, "mdm"),
        ]
    )
    func pushTypes(content: String, type: String) {
        expectRefusal(
            #"\#(content),"options":{"apns":{"pushType":"\#(type)"}}"#,
            .vendorRule,
            "options.apns.pushType"
        )
    }

    @Test(
        "a request for the app's extension needs a text",
        arguments: [
            #"{"badge":1,"apns":{"mutableContent":true}}"#, #"{"data":{"a":1},"apns":{"mutableContent":true}}"#,
        ]
    )
    func mutable(content: String) {
        expectRefusal(#""content":\#(content)"#, .vendorRule, "content.apns.mutableContent")
    }

    @Test("a content without anything, and a data member aps, are refused even when no decoder saw them")
    func unchecked() {
        func refusal(_ content: Content) -> RenderError? {
            #expect(throws: RenderError.self) {
                let context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)
                return try PushRenderer.prepare(.neutral(content), for: .apns, in: context)
            }
        }
        #expect(refusal(Content())?.code == .emptyContent)
        let aps = refusal(Content(title: "x", data: [JSONMember(name: "aps", value: .null)]))
        #expect(aps?.code == .reservedKey)
        #expect(aps?.member == "content.data.aps")
    }

    private func expectRefusal(_ job: String, _ code: RenderError.Code, _ member: String) {
        let error = #expect(throws: RenderError.self) { try APNsJob.prepare(job) }
        #expect(error?.code == code)
        #expect(error?.member == member)
        #expect(error?.platform == .apns)
    }
}
