import DispatchCore
import Testing

@Suite("Payloads for Apple")
struct APNsPayloadTests {
    @Test(
        "absent, nothing, zero, empty and null are different things",
        arguments: [
            (#"{"title":"x"}"#, #"{"aps":{"alert":{"title":"x"}}}"#),
            (#"{"title":"x","badge":0}"#, #"{"aps":{"alert":{"title":"x"},"badge":0}}"#),
            (#"{"badge":0}"#, #"{"aps":{"badge":0}}"#),
            (#"{"sound":"default"}"#, #"{"aps":{"sound":"default"}}"#),
            (#"{"title":"x","sound":"none"}"#, #"{"aps":{"alert":{"title":"x"}}}"#),
            (#"{"badge":1,"sound":{"name":"none"}}"#, #"{"aps":{"badge":1}}"#),
            (#"{"title":"x","sound":{"critical":false}}"#, #"{"aps":{"alert":{"title":"x"},"sound":"default"}}"#),
            (
                #"{"title":"x","sound":{"critical":true,"volume":0}}"#,
                #"{"aps":{"alert":{"title":"x"},"sound":{"critical":1,"name":"default","volume":0}}}"#
            ),
            (
                #"{"title":"x","sound":{"critical":true,"name":"a.caf"}}"#,
                #"{"aps":{"alert":{"title":"x"},"sound":{"critical":1,"name":"a.caf"}}}"#
            ),
            (#"{"title":"x","relevance":0}"#, #"{"aps":{"alert":{"title":"x"},"relevance-score":0}}"#),
            (#"{"title":"x","relevance":1.0}"#, #"{"aps":{"alert":{"title":"x"},"relevance-score":1.0}}"#),
            (
                #"{"title":"x","data":{"null":null,"zero":0,"empty":"","none":{},"list":[]}}"#,
                #"{"aps":{"alert":{"title":"x"}},"null":null,"zero":0,"empty":"","none":{},"list":[]}"#
            ),
            (
                #"{"body":{"key":"K","args":[]}}"#, #"{"aps":{"alert":{"loc-key":"K"}}}"#
            ),
            (
                #"{"body":{"key":"K","args":[""]}}"#, #"{"aps":{"alert":{"loc-key":"K","loc-args":[""]}}}"#
            ),
            (#"{"badge":1,"apns":{"mutableContent":false}}"#, #"{"aps":{"badge":1}}"#),
            (
                #"{"title":"x","attachment":{"url":"https://a/b"},"apns":{"mutableContent":false}}"#,
                #"{"aps":{"alert":{"title":"x"},"mutable-content":1},"my-attachment":"https://a/b"}"#
            ),
        ]
    )
    func presence(content: String, body: String) throws {
        #expect(try APNsJob.body(#""content":\#(content)"#) == body)
    }

    @Test("an unread badge is the number where it is known, and no badge where it is not")
    func unread() throws {
        #expect(try APNsJob.body(#""content":{"badge":"unread"}"#, unread: 0) == #"{"aps":{"badge":0}}"#)
        let content = #""content":{"title":"x","badge":"unread"}"#
        #expect(try APNsJob.body(content, unread: 7) == #"{"aps":{"alert":{"title":"x"},"badge":7}}"#)
        #expect(try APNsJob.body(content) == #"{"aps":{"alert":{"title":"x"}}}"#)
    }

    @Test(
        "a data member wins over a derived one of its name",
        arguments: ["my-attachment", "actions", "richId", "richMessage", "richType", "link", "notificationId"]
    )
    func dataWins(name: String) throws {
        let content = #"""
            "content":{"title":"x","attachment":{"url":"https://a/b"},"actions":[{"id":"i","title":"t"}],
            "rich":{"id":1,"message":"m","type":"t"},"link":"https://a/","data":{"\#(name)":[null]}}
            """#
        let payload = try JSONParser.parse(APNsJob.prepare(content).body(channel: "t"))
        let names = try #require(payload.members).map(\.name)
        #expect(Set(names).count == 8)
        #expect(names.count == 8)
        #expect(names.last == name)
        #expect(payload[name] == .array([.null]))
    }

    @Test("an attachment's key wins over the names of the hub")
    func attachmentKey() throws {
        let content = #""content":{"title":"x","link":"app:1","attachment":{"url":"https://a/b","key":"link"}}"#
        #expect(
            try APNsJob.body(content) == #"{"aps":{"alert":{"title":"x"},"mutable-content":1},"link":"https://a/b"}"#
        )
    }

    @Test("a silent push carries what stands beside aps, and in aps its flag alone")
    func silent() throws {
        let content = #"""
            "content":{"rich":{"id":17},"sound":"none","category":"c","thread":"t","summary":{"count":2},
            "interruptionLevel":"passive","relevance":1,"targetContentId":"w","link":"app:1",
            "actions":[{"id":"i","title":"t"}],"apns":{"filterCriteria":"f"}}
            """#
        let custom = #""actions":[{"id":"i","title":"t"}],"richId":17,"link":"app:1""#
        #expect(try APNsJob.body(content) == #"{"aps":{"content-available":1},\#(custom)}"#)
    }

    @Test("actions without a category are written all the same")
    func actionsAlone() throws {
        let content = #""content":{"body":"x","actions":[{"id":"i","title":"t","options":["foreground"]}]}"#
        let actions = #"[{"id":"i","title":"t","options":["foreground"]}]"#
        let aps = #"{"alert":{"body":"x"},"mutable-content":1}"#
        #expect(try APNsJob.body(content) == #"{"aps":\#(aps),"actions":\#(actions)}"#)
    }

    @Test("a call and a speaker may bring texts that the app shows itself", arguments: ["voip", "pushtotalk"])
    func texts(type: String) throws {
        let job = #""content":{"title":"Alice"},"options":{"apns":{"pushType":"\#(type)"}}"#
        #expect(try APNsJob.body(job) == #"{"aps":{"alert":{"title":"Alice"}}}"#)
    }

    @Test("a subtitle and a badge have no place in a Live Activity, nor has a critical sound")
    func activity() throws {
        let content = #"""
            "content":{"title":"x","subtitle":"y","badge":3,"sound":{"name":"a.caf","critical":true,"volume":1},
            "relevance":0.5,"liveActivity":{"event":"update","timestamp":"1970-01-01T00:00:01.9Z","contentState":{}}}
            """#
        let alert = #""alert":{"title":"x","sound":"a.caf"}"#
        let aps = #"{"timestamp":1,"event":"update","content-state":{},"relevance-score":0.5,\#(alert)}"#
        #expect(try APNsJob.body(content) == #"{"aps":\#(aps)}"#)
    }

    @Test("a Live Activity's times before 1970 are its first second")
    func timesBefore1970() throws {
        let times = #""timestamp":"1969-12-31T23:59:59Z","staleDate":"0001-01-01T00:00:00Z""#
        let activity = #"{"event":"end",\#(times),"dismissalDate":"1960-01-01T00:00:00Z","contentState":{}}"#
        let content = #""content":{"liveActivity":\#(activity)}"#
        let aps = #"{"timestamp":0,"event":"end","content-state":{},"stale-date":0,"dismissal-date":0}"#
        #expect(try APNsJob.body(content) == #"{"aps":\#(aps)}"#)
    }

    @Test(
        "a payload at its type's limit passes, one byte more does not",
        arguments: [("alert", 4096), ("voip", 5120), ("pushtotalk", 4096)]
    )
    func limit(type: String, limit: Int) throws {
        func prepare(_ count: Int) throws -> PreparedPush {
            let text = String(repeating: "x", count: count)
            let content = #""content":{"title":"x","data":{"a":"\#(text)"}}"#
            return try APNsJob.prepare(#"\#(content),"options":{"apns":{"pushType":"\#(type)"}}"#)
        }
        let overhead = try prepare(0).size
        #expect(try prepare(limit - overhead).size == limit)
        #expect(throws: RenderError.tooLarge(limit + 1, limit: limit, platform: .apns)) {
            try prepare(limit - overhead + 1)
        }
    }

    @Test("contents rendered one after another share nothing")
    func independence() throws {
        let rich = #""content":{"title":"x","badge":1,"sound":"a.caf","category":"c","rich":{"id":1},"data":{"a":1}}"#
        let plain = #""content":{"body":"y"}"#
        let silent = #""content":{"data":{"b":2}},"options":{"collapseKey":"k"}"#
        let alone = try [rich, plain, silent].map { try APNsJob.body($0) }
        for order in [[0, 1, 2], [2, 1, 0], [1, 0, 1]] {
            for index in order {
                #expect(try APNsJob.body([rich, plain, silent][index]) == alone[index])
            }
        }
        #expect(alone[1] == #"{"aps":{"alert":{"body":"y"}}}"#)
        #expect(alone[2] == #"{"aps":{"content-available":1},"b":2}"#)
        #expect(try APNsJob.headers(plain)["apns-collapse-id"] == PushExample.job.description)
    }
}
