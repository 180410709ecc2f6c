import Testing

@testable import DispatchCore

@Suite("WNS pushes")
struct WNSRendererTests {
    private let example = RenderedExample(platform: .wns)

    @Test(
        "the content decides the kind, and the job can say another that it can be",
        arguments: [
            (#"{"title": "x", "badge": 1, "data": {"a": 1}}"#, nil as String?, "toast"),
            (#"{"badge": 0, "data": {"a": 1}}"#, nil, "badge"),
            (#"{"data": {"a": 1}}"#, nil, "raw"),
            (#"{"rich": {"id": 1}, "sound": "default"}"#, nil, "raw"),
            (#"{"title": {"key": "T"}, "data": {"a": 1}}"#, nil, "raw"),
            (#"{"title": "x", "badge": 1}"#, "badge", "badge"),
            (#"{"title": "x"}"#, "raw", "raw"),
            (#"{"title": "x"}"#, "toast", "toast"),
        ]
    )
    func kinds(content: String, requested: String?, kind: String) throws {
        let options = requested.map { #"{"wns": {"type": "\#($0)"}}"# } ?? "{}"
        let push = try example.push(content, options)
        #expect(push.header("X-WNS-Type") == "wns/\(kind)")
        #expect(push.header("Content-Type") == (kind == "raw" ? "application/octet-stream" : "text/xml"))
        #expect((push.header("X-WNS-Tag") != nil) == (kind == "toast"))
    }

    @Test(
        "what Windows cannot do is refused by name",
        arguments: [
            (
                #"{"data": {"a": 1}}"#, #"{"wns": {"type": "toast"}}"#, RenderError.Code.vendorRule,
                "options.wns.type" as String?
            ),
            (#"{"title": "x"}"#, #"{"wns": {"type": "badge"}}"#, .vendorRule, "options.wns.type"),
            (#"{"title": "x"}"#, #"{"wns": {"type": "tile"}}"#, .notExpressible, "options.wns.type"),
            (#"{"sound": "default"}"#, "{}", .notExpressible, "content.sound"),
            (#"{"title": {"key": "T"}}"#, "{}", .emptyContent, nil),
            (#"{"badge": "unread"}"#, "{}", .emptyContent, nil),
            (
                #"{"title": "x", "liveActivity": {"event": "update", "contentState": {}}}"#, "{}", .notExpressible,
                "content.liveActivity"
            ),
            (#"{"badge": 1}"#, #"{"wns": {"group": "g"}}"#, .vendorRule, "options.wns.group"),
            (#"{"data": {"a": 1}}"#, #"{"wns": {"group": "g"}}"#, .vendorRule, "options.wns.group"),
            (
                #"{"title": "x"}"#, #"{"ttlSeconds": 0, "wns": {"cachePolicy": "cache"}}"#, .vendorRule,
                "options.wns.cachePolicy"
            ),
            (
                #"""
                {"title": "x", "actions": [{"id": "a", "title": "A", "input": {}}],
                 "wns": {"inputs": [{"id": "a", "type": "text"}]}}
                """#, "{}", .vendorRule, "content.wns.inputs"
            ),
        ]
    )
    func refusals(content: String, options: String, code: RenderError.Code, member: String?) {
        let error = #expect(throws: RenderError.self) { try example.push(content, options) }
        #expect(error?.code == code)
        #expect(error?.member == member)
    }

    @Test("an absent badge, 0 and a number are told apart")
    func badge() throws {
        #expect(try example.push(#"{"badge": 0}"#).bodyHead == Array(#"<badge value="0"/>"#.utf8))
        #expect(
            try example.push(#"{"badge": 2147483647}"#).bodyHead == Array(#"<badge value="2147483647"/>"#.utf8)
        )
    }

    @Test("a raw push holds all that the app may want to show, and data wins")
    func raw() throws {
        let category = #"{"id": "c", "actions": [{"id": "a", "title": "A", "options": ["foreground"]}]}"#
        let push = try example.push(
            #"{"title": "t", "body": "b", "badge": 0, "sound": "none", "category": "c", "data": {"body": null}}"#,
            #"{"wns": {"type": "raw"}}"#,
            category: category
        )
        let expected = """
            {"body":null,"notificationId":"\(PushExample.job)","category":"c","title":"t","sound":"none","badge":0,\
            "actions":[{"id":"a","title":"A","options":["foreground"]}]}
            """
        #expect(String(decoding: push.bodyHead, as: UTF8.self) == expected)
    }

    @Test("a tag is the collapse key where it fits, else 16 digits of a digest, and the job's when there is none")
    func tag() throws {
        func tag(_ options: String) throws -> String? {
            try example.push(#"{"title": "x"}"#, options).header("X-WNS-Tag")
        }
        #expect(try tag(#"{"collapseKey": "abcdefghij012345"}"#) == "abcdefghij012345")
        #expect(try tag(#"{"collapseKey": "abcdefghij0123456"}"#)?.count == 16)
        #expect(try tag(#"{"collapseKey": "abc"}"#) == "abc")
        // The first bytes of the digest of “invite-7”.
        #expect(try tag(#"{"collapseKey": "invite-7"}"#) == "e24b398b59b4fe95")
        #expect(try tag("{}") == WNSRenderer.label(PushExample.job.description))
    }

    @Test("a group is the job's, or else the thread's, and toasts alone have one")
    func group() throws {
        let content = #"{"title": "x", "badge": 1, "thread": "alice"}"#
        #expect(try example.push(content).header("X-WNS-Group") == "alice")
        #expect(try example.push(content, #"{"wns": {"group": "g"}}"#).header("X-WNS-Group") == "g")
        #expect(try example.push(content, #"{"wns": {"type": "badge"}}"#).header("X-WNS-Group") == nil)
        #expect(try example.push(#"{"title": "x"}"#).header("X-WNS-Group") == nil)
    }

    @Test("priorities are Microsoft's numbers", arguments: [("high", "1"), ("normal", "2"), ("low", "3")])
    func priority(name: String, number: String) throws {
        let push = try example.push(#"{"title": "x"}"#, #"{"priority": "\#(name)"}"#)
        #expect(push.header("X-WNS-PRIORITY") == number)
    }

    @Test("5000 bytes pass, one more does not; an entity counts as what it is on the wire")
    func limit() throws {
        let empty = try example.push(#"{"title": "x"}"#).size - 1
        let longest = 5000 - empty
        func titled(_ title: String) throws -> PreparedPush {
            try example.push(#"{"title": "x", "data": {"a": "\#(title)"}}"#)
        }
        let overhead = try titled("").size
        #expect(overhead > empty)
        #expect(try titled(String(repeating: "y", count: 5000 - overhead)).size == 5000)
        #expect(throws: RenderError.tooLarge(5001, limit: 5000, platform: .wns)) {
            try titled(String(repeating: "y", count: 5001 - overhead))
        }
        #expect(throws: RenderError.self) { try titled(String(repeating: "&", count: longest / 5 + 1)) }
    }

    @Test(
        "native XML goes by its outermost element, everything else is raw",
        arguments: [
            ("<toast/>", "toast"), ("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- x -->\n<tile a='b'></tile>", "tile"),
            (" <badge\tvalue=\"1\"/>", "badge"), ("<toaster/>", "raw"), ("<Toast/>", "raw"), ("toast", "raw"),
            ("{}", "raw"), ("<", "raw"),
        ]
    )
    func native(text: String, kind: String) throws {
        let push = try example.native(.string(text))
        #expect(push.bodyHead == Array(text.utf8))
        #expect(push.header("X-WNS-Type") == "wns/\(kind)")
    }

    @Test("a native object is raw JSON, and XML can be sent raw when the job says so")
    func nativeRaw() throws {
        let object = JSONValue.object([JSONMember(name: "a", value: .null)])
        #expect(try example.native(object).bodyHead == Array(#"{"a":null}"#.utf8))
        #expect(try example.native(object).header("X-WNS-Type") == "wns/raw")
        let toast = try example.native(.string("<toast/>"), #"{"wns": {"type": "raw"}}"#)
        #expect(toast.header("X-WNS-Type") == "wns/raw")
    }

    @Test(
        "a native payload that is not what the job says is refused",
        arguments: [("<badge/>", "toast"), ("<toast/>", "tile"), ("text", "badge")]
    )
    func nativeMismatch(text: String, kind: String) {
        let error = #expect(throws: RenderError.self) {
            try example.native(.string(text), #"{"wns": {"type": "\#(kind)"}}"#)
        }
        #expect(error?.code == .malformedNative)
        #expect(error?.member == "native.wns")
    }

    @Test(
        "broken XML is refused, unless it is sent raw",
        arguments: [
            "<toast>", "<toast></tile>", "<badge value=1/>", "<toast/>x", "<tile>&nbsp;</tile>",
            "<!DOCTYPE toast><toast/>", "<?xml version=\"1.0\"?><!DOCTYPE toast [<!ENTITY a \"b\">]><toast>&a;</toast>",
        ]
    )
    func broken(text: String) throws {
        let error = #expect(throws: RenderError.self) { try example.native(.string(text)) }
        #expect(error?.code == .malformedNative)
        #expect(error?.member == "native.wns")
        #expect(try example.native(.string(text), #"{"wns": {"type": "raw"}}"#).bodyHead == Array(text.utf8))
    }
}
