import Testing

@testable import DispatchCore

@Suite("What is kept in inboxes")
struct InboxTests {
    private func job(_ kind: String, _ content: String, _ options: String = "{}") throws -> SendJob {
        let body = #"{"to":{"broadcast":true},"\#(kind)":\#(content),"options":\#(options)}"#
        return try SendJob(decoding: Array(body.utf8), messageID: "0193f2c4-7d1e-7abc-8def-0123456789ab")
    }

    /// Whether it is kept in a hub that is not set to, and in one that is.
    private func kept(_ kind: String, _ content: String, _ options: String = "{}") throws -> [Bool] {
        let job = try job(kind, content, options)
        return [job.keepsInbox(hubKeepsInbox: false), job.keepsInbox(hubKeepsInbox: true)]
    }

    @Test("the job's word counts, then the badge, then the hub; what shows nothing is kept by a word only")
    func choice() throws {
        #expect(try kept("content", #"{"title":"a"}"#) == [false, true])
        #expect(try kept("content", #"{"title":"a","badge":3}"#) == [false, true])
        #expect(try kept("content", #"{"title":"a","badge":"unread"}"#) == [true, true])
        #expect(try kept("content", #"{"rich":{"id":7},"badge":"unread"}"#) == [true, true])
        #expect(try kept("content", #"{"badge":"unread"}"#) == [false, false])
        #expect(try kept("content", #"{"data":{"a":1},"badge":"unread"}"#) == [false, false])
        #expect(try kept("content", #"{"data":{"a":1}}"#, #"{"inbox":true}"#) == [true, true])
        #expect(try kept("content", #"{"title":"a","badge":"unread"}"#, #"{"inbox":false}"#) == [false, false])
        #expect(try kept("template", #"{"a":1}"#) == [false, true])
        #expect(try kept("native", #"{"apns":{"aps":{"alert":"a"}}}"#) == [false, true])
    }

    @Test("the thread is the content's, or the one in Apple's native payload")
    func thread() throws {
        #expect(try job("content", #"{"title":"a","thread":"t"}"#).content.thread == "t")
        #expect(try job("content", #"{"title":"a"}"#).content.thread == nil)
        #expect(try job("native", #"{"apns":{"aps":{"alert":"a","thread-id":"t"}}}"#).content.thread == "t")
        #expect(try job("native", #"{"apns":{"aps":{"alert":"a","thread-id":""}}}"#).content.thread == nil)
        #expect(try job("native", #"{"fcmV1":{"message":{}}}"#).content.thread == nil)
        #expect(try job("template", #"{"thread":"t"}"#).content.thread == nil)
    }

    @Test("the option is a boolean")
    func option() {
        #expect(throws: JobError.self) { try job("content", #"{"title":"a"}"#, #"{"inbox":"yes"}"#) }
        #expect(throws: JobError.self) { try job("content", #"{"title":"a"}"#, #"{"inbox":null}"#) }
    }
}
