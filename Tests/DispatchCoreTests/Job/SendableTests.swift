import DispatchCore
import Testing

@Suite("Jobs that no platform takes")
struct SendableTests {
    private func refusal(_ members: String, to: String = #"{"broadcast":true}"#) throws -> JobError? {
        let body = #"{"id":"0193f2c4-7d1e-7abc-8def-0123456789ab","to":\#(to),\#(members)}"#
        let job = try SendJob(decoding: Array(body.utf8), messageID: nil)
        do throws(JobError) {
            try job.checkSendable(now: PushExample.now)
            return nil
        } catch {
            return error
        }
    }

    @Test("one platform that takes it is enough")
    func oneIsEnough() throws {
        let activity = #""content":{"liveActivity":{"event":"update","contentState":{}}}"#
        #expect(try refusal(activity) == nil)
        #expect(try refusal(activity, to: #"{"broadcast":true,"platforms":["apns","fcmV1"]}"#) == nil)
    }

    @Test("a job for the others alone is refused with the member and the rule")
    func refused() throws {
        let error = try refusal(
            #""content":{"liveActivity":{"event":"update","contentState":{}}}"#,
            to: #"{"broadcast":true,"platforms":["fcmV1","adm"]}"#
        )
        #expect(error?.code == .unsendable)
        #expect(error?.path == "$.content.liveActivity")
        for platform in ["fcmV1", "adm"] {
            #expect(error?.reason.contains("\(platform) at $.content.liveActivity: ") == true)
        }
    }

    @Test("each platform's own member is named once")
    func members() throws {
        let native = try refusal(#""native":{"apns":{"aps":{"badge":"1"}},"fcmV1":{"data":1}}"#)
        #expect(native?.path == "$.native.apns.aps.badge")
        #expect(native?.reason.contains("apns at $.native.apns.aps.badge: ") == true)
        #expect(native?.reason.contains("fcmV1: native.fcmV1.data must be") == true)
    }

    @Test("what is too large everywhere is refused, what fits one platform is not")
    func size() throws {
        func content(_ bytes: Int) -> String { #""content":{"data":{"a":"\#(String(repeating: "x", count: bytes))"}}"# }
        #expect(try refusal(content(6_500))?.code == .unsendable)
        #expect(try refusal(content(5_500)) == nil)
        #expect(try refusal(content(5_500), to: #"{"broadcast":true,"platforms":["apns"]}"#)?.code == .unsendable)
        let apns = #"{"channels":[{"platform":"apns","token":"t"}]}"#
        #expect(try refusal(content(5_500), to: apns)?.code == .unsendable)
    }

    @Test("one language in which it can be sent is enough")
    func language() throws {
        let long = String(repeating: "x", count: 4_090)
        let apns = #"{"broadcast":true,"platforms":["apns"]}"#
        #expect(try refusal(#""content":{"body":"\#(long)"}"#, to: apns)?.code == .unsendable)
        #expect(
            try refusal(#""content":{"body":"\#(long)","localizations":{"fr":{"body":"court"}}}"#, to: apns) == nil
        )
        #expect(
            try refusal(
                #""content":{"title":{"key":"K"},"localizations":{"fr":{"title":"Bonjour"}}}"#,
                to: #"{"broadcast":true,"platforms":["browser"]}"#
            ) == nil
        )
    }

    @Test("a native job is looked at on the platforms it has payloads for")
    func native() throws {
        #expect(try refusal(#""native":{"apns":{"a":1},"fcmV1":{"data":{"a":"b"}}}"#) == nil)
        let error = try refusal(#""native":{"apns":{"a":1}}"#)
        #expect(error?.code == .unsendable)
        #expect(error?.reason.contains("aps") == true)
        #expect(
            try refusal(#""native":{"apns":{"aps":{"alert":"x"}}}"#, to: #"{"broadcast":true,"platforms":["wns"]}"#)?
                .code == .unsendable
        )
    }

    @Test("a template job waits for its devices")
    func template() throws {
        #expect(try refusal(#""template":{"a":"b"}"#) == nil)
    }
}
