import DispatchCore
import Testing

@Suite struct ReceiptTests {
    static let job = "0193f2c4-7d1e-7abc-8def-0123456789ab"

    static func receipt(_ text: String) throws(JobError) -> Receipt {
        try Receipt(decoding: Array(text.utf8))
    }

    /// A receipt with `members` after those that every receipt needs.
    static func text(kind: String, _ members: String = "") -> String {
        #"{"id":"r-1","notificationId":"\#(job)","installationId":"phone","kind":"\#(kind)"\#(members),"at":"2026-12-01T12:00:00Z"}"#
    }

    @Test("every member arrives")
    func everything() throws {
        let receipt = try Self.receipt(
            """
            {"id":"r-7","hub":"shop","notificationId":1391569403904,"installationId":"phone","kind":"reply",
            "actionId":"comment","text":"On my way","response":"dismissAndForwardAction","at":"2026-12-01T13:00:00.5+01:00"}
            """
        )
        #expect(receipt.id == "r-7")
        #expect(receipt.hub == "shop")
        #expect(receipt.notification == .number(NotificationID(rawValue: 1_391_569_403_904)))
        #expect(receipt.installationID == "phone")
        #expect(receipt.kind == .reply)
        #expect(receipt.actionID == "comment")
        #expect(receipt.text == "On my way")
        #expect(receipt.response == .dismissAndForwardAction)
        #expect(receipt.at.rfc3339 == "2026-12-01T12:00:00.500000Z")
    }

    @Test("what is left out has its default")
    func defaults() throws {
        let receipt = try Self.receipt(Self.text(kind: "displayed"))
        #expect(receipt.hub == "default")
        #expect(receipt.actionID == nil && receipt.text == nil && receipt.response == nil)
    }

    @Test("what is written is what was read, byte for byte", arguments: ReceiptKind.allCases)
    func sameText(kind: ReceiptKind) throws {
        let answer =
            switch kind {
            case .fetched, .displayed, .read, .dismissed: ""
            case .action: #","actionId":"accept""#
            case .reply: #","actionId":"comment","text":"\"Yes\"","response":"doNotDismiss""#
            }
        let text = Self.text(kind: kind.rawValue, answer)
        #expect(String(decoding: try Self.receipt(text).json, as: UTF8.self) == text)
    }

    @Test(
        "a receipt with another hub and a number is read back the same",
        arguments: [
            #"{"hub":"shop","notificationId":42,"id":"r","installationId":"i","kind":"read","at":"2026-12-01T12:00:00Z"}"#
        ]
    )
    func roundTrip(text: String) throws {
        let receipt = try Self.receipt(text)
        #expect(try Receipt(decoding: receipt.json) == receipt)
    }

    @Test(
        "a notification is named by a UUID, a number or the number's text",
        arguments: [
            (
                #""0193F2C4-7D1E-7ABC-8DEF-0123456789AB""#,
                NotificationReference.job(UUIDValue(job) ?? UUIDValue(high: 0, low: 0))
            ),
            ("42", .number(NotificationID(rawValue: 42))),
            (#""42""#, .number(NotificationID(rawValue: 42))),
            (#""9007199254740991""#, .number(NotificationID(rawValue: 9_007_199_254_740_991))),
        ]
    )
    func reference(json: String, expected: NotificationReference) throws {
        #expect(try NotificationReference(decoding: JSONParser.parse(Array(json.utf8))) == expected)
    }
}
