import DispatchCore
import Testing

@Suite struct NotificationEventTests {
    static let job = UUIDValue(high: 0x0193_F2C4_7D1E_7ABC, low: 0x8DEF_0123_4567_89AB)
    static let time = Timestamp(seconds: 1_796_126_400)

    static func text(_ event: NotificationEvent) -> String { String(decoding: event.encode(), as: UTF8.self) }

    @Test("an end of a delivery is one CloudEvent, byte for byte")
    func failed() {
        let event = NotificationEvent(
            id: "e-1",
            hub: "shop",
            kind: .failed,
            notificationID: Self.job,
            installationID: "phone \"1\"",
            userID: "alice",
            platform: .fcmV1,
            reason: "SENDER_ID_MISMATCH",
            attempts: 2,
            time: Self.time
        )
        let expected = """
            {"specversion":"1.0","id":"e-1","source":"/hubs/shop","type":"dispatcher.notification.failed",\
            "subject":"0193f2c4-7d1e-7abc-8def-0123456789ab","time":"2026-12-01T12:00:00Z","datacontenttype":"application/json",\
            "data":{"notificationId":"0193f2c4-7d1e-7abc-8def-0123456789ab","installationId":"phone \\"1\\"","userId":"alice",\
            "platform":"fcmV1","reason":"SENDER_ID_MISMATCH","attempts":2}}
            """
        #expect(Self.text(event) == expected)
        #expect(event.routingKey == "notification.failed")
    }

    @Test("a reply carries the button, the text, the response and the device's time")
    func reply() throws {
        let receipt = try ReceiptTests.receipt(
            """
            {"id":"r-7","hub":"shop","notificationId":42,"installationId":"phone","kind":"reply","actionId":"comment",
            "text":"On my way","response":"dismiss","at":"2026-12-01T11:59:58Z"}
            """
        )
        let event = NotificationEvent(
            id: receipt.id,
            receipt: receipt,
            notificationID: Self.job,
            userID: "alice",
            platform: .apns,
            time: Self.time
        )
        let data = try JSONParser.parse(event.encode())["data"]
        #expect(event.hub == "shop")
        #expect(data?["notificationId"]?.string == Self.job.description)
        #expect(data?["installationId"]?.string == "phone")
        #expect(data?["actionId"]?.string == "comment")
        #expect(data?["text"]?.string == "On my way")
        #expect(data?["response"]?.string == "dismiss")
        #expect(data?["at"]?.string == "2026-12-01T11:59:58Z")
        #expect(data?["reason"] == nil)
        #expect(data?["attempts"] == nil)
        #expect(event.routingKey == "notification.reply")
    }

    @Test("every kind of receipt has the event of its name", arguments: ReceiptKind.allCases)
    func receipts(kind: ReceiptKind) {
        #expect(EventKind(kind).rawValue == kind.rawValue)
    }

    @Test("every end of a delivery but the unknown one has the event of its name", arguments: DeliveryState.allCases)
    func ends(state: DeliveryState) {
        let isTold = state != .retrying && state != .unknown
        #expect(EventKind(state)?.rawValue == (isTold ? state.name : nil))
    }
}
