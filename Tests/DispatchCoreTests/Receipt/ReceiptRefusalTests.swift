import DispatchCore
import Testing

@Suite struct ReceiptRefusalTests {
    struct Refusal: Sendable, CustomTestStringConvertible {
        let body: String
        let code: JobError.Code
        let path: String

        var testDescription: String { "\(code.rawValue) at \(path): \(body.prefix(160))" }

        init(_ body: String, _ code: JobError.Code, _ path: String) {
            self.body = body
            self.code = code
            self.path = path
        }

        /// A receipt that is all right but for `members`.
        static func with(
            kind: String = "read",
            _ members: String,
            _ code: JobError.Code,
            _ path: String
        ) -> Refusal {
            Refusal(ReceiptTests.text(kind: kind, "," + members), code, path)
        }

        /// A receipt without the member `name`.
        static func without(_ name: String) -> Refusal {
            let members = [
                "id": #""r""#, "notificationId": "42", "installationId": #""i""#, "kind": #""read""#,
                "at": #""2026-12-01T12:00:00Z""#,
            ]
            let text = members.filter { $0.key != name }.map { #""\#($0.key)":\#($0.value)"# }.sorted()
            return Refusal("{" + text.joined(separator: ",") + "}", .missingMember, "$." + name)
        }

        /// A receipt about the notification `json`.
        static func about(_ json: String, _ code: JobError.Code) -> Refusal {
            Refusal(#"{"notificationId":\#(json)}"#, code, "$.notificationId")
        }
    }

    static func long(_ count: Int) -> String { String(repeating: "x", count: count) }

    static func refuse(_ refusal: Refusal) {
        let error = #expect(throws: JobError.self) { try ReceiptTests.receipt(refusal.body) }
        #expect(error?.code == refusal.code)
        #expect(error?.path == refusal.path)
        #expect(error?.reason.hasSuffix(".") == true)
    }

    @Test(
        "a member that is wrong",
        arguments: [
            Refusal("{", .invalidJSON, "$"),
            Refusal("[]", .wrongType, "$"),
            Refusal(#"{"id":""}"#, .outOfRange, "$.id"),
            Refusal(#"{"id":7}"#, .wrongType, "$.id"),
            Refusal(#"{"id":"\#(long(257))"}"#, .tooLong, "$.id"),
            Refusal(#"{"hub":"a b"}"#, .invalidFormat, "$.hub"),
            Refusal(#"{"installationId":"a b"}"#, .invalidFormat, "$.installationId"),
            Refusal(#"{"kind":"opened"}"#, .outOfRange, "$.kind"),
            Refusal(#"{"kind":null}"#, .wrongType, "$.kind"),
            Refusal(#"{"at":"now"}"#, .invalidFormat, "$.at"),
            Refusal(#"{"at":1764590400}"#, .wrongType, "$.at"),
            Refusal.with(#""userId":"alice""#, .unknownMember, "$.userId"),
            Refusal.with(kind: "action", #""actionId":"a","response":"stay""#, .outOfRange, "$.response"),
            Refusal.with(kind: "reply", #""actionId":"a","text":"""#, .outOfRange, "$.text"),
            Refusal.with(kind: "reply", #""actionId":"a","text":"\#(long(4097))""#, .tooLong, "$.text"),
        ]
    )
    func member(refusal: Refusal) { Self.refuse(refusal) }

    @Test("a member that is missing", arguments: ["id", "notificationId", "installationId", "kind", "at"])
    func missing(name: String) { Self.refuse(Refusal.without(name)) }

    @Test("an answer in a receipt that has none", arguments: ["fetched", "displayed", "read", "dismissed"])
    func noAnswer(kind: String) {
        Self.refuse(Refusal.with(kind: kind, #""actionId":"a""#, .conflictingMembers, "$.actionId"))
        Self.refuse(Refusal.with(kind: kind, #""text":"t""#, .conflictingMembers, "$.text"))
        Self.refuse(Refusal.with(kind: kind, #""response":"dismiss""#, .conflictingMembers, "$.response"))
    }

    @Test(
        "a receipt without its answer, or with more than its answer",
        arguments: [
            Refusal(ReceiptTests.text(kind: "action"), .missingMember, "$.actionId"),
            Refusal(ReceiptTests.text(kind: "reply"), .missingMember, "$.actionId"),
            Refusal.with(kind: "reply", #""actionId":"a""#, .missingMember, "$.text"),
            Refusal.with(kind: "action", #""actionId":"a","text":"t""#, .conflictingMembers, "$.text"),
        ]
    )
    func answer(refusal: Refusal) { Self.refuse(refusal) }

    @Test(
        "what names no notification",
        arguments: [
            Refusal.about("null", .wrongType),
            Refusal.about("[42]", .wrongType),
            Refusal.about("1.5", .wrongType),
            Refusal.about("0.0", .outOfRange),
            Refusal.about("0", .outOfRange),
            Refusal.about("-1", .outOfRange),
            Refusal.about("9007199254740992", .outOfRange),
            Refusal.about(#""""#, .outOfRange),
            Refusal.about(#""9007199254740992""#, .outOfRange),
            Refusal.about(#""99999999999999999999""#, .outOfRange),
            Refusal.about(#""042""#, .invalidFormat),
            Refusal.about(#""+42""#, .invalidFormat),
            Refusal.about(#""42 ""#, .invalidFormat),
            Refusal.about(#""０""#, .invalidFormat),
            Refusal.about(#""0193f2c4""#, .invalidFormat),
        ]
    )
    func reference(refusal: Refusal) { Self.refuse(refusal) }
}
