import Testing

@testable import Dispatcher

@Suite struct BatchMessageTests {
    @Test("an announcement reads back", arguments: [(1, 1), (Int64.max, 1_000), (7, 450)])
    func roundTrip(id: Int64, size: Int) {
        let message = BatchMessage(id: id, size: size)
        #expect(BatchMessage(body: message.body) == message)
    }

    @Test("the body is what the broker carries")
    func body() {
        #expect(String(decoding: BatchMessage(id: 7, size: 450).body, as: UTF8.self) == #"{"batch":7,"size":450}"#)
    }

    @Test(
        "anything else is refused",
        arguments: [
            "", "{}", "[7,450]", "7", #"{"batch":7}"#, #"{"size":450}"#, #"{"batch":7,"size":0}"#,
            #"{"batch":7,"size":1001}"#, #"{"batch":"7","size":450}"#, #"{"batch":7.5,"size":450}"#,
            #"{"batch":7,"size":450"#, #"{"batch":9223372036854775808,"size":1}"#,
        ]
    )
    func refused(text: String) {
        #expect(BatchMessage(body: Array(text.utf8)) == nil)
    }
}
