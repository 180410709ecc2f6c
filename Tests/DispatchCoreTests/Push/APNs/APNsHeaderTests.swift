import DispatchCore
import Testing

@Suite("Headers for Apple")
struct APNsHeaderTests {
    private static let messageID = "00000000-0000-8007-8000-000000000009"
    private static let data = #""content":{"data":{"a":1}}"#
    private static let text = #""content":{"title":"x"}"#
    private static let activity = #""content":{"liveActivity":{"event":"update","contentState":{}}}"#

    @Test(
        "each push type has its topic, its priorities and its expiry",
        arguments: [
            ("alert", text, "app", ["10", "5", "1"]),
            ("background", data, "app", ["5", "5", "5"]),
            ("location", data, "app.location-query", ["10", "5", "5"]),
            ("voip", data, "app.voip", ["10", "10", "10"]),
            ("complication", data, "app.complication", ["10", "5", "1"]),
            ("fileprovider", data, "app.pushkit.fileprovider", ["10", "5", "1"]),
            ("mdm", #""native":{"apns":{"mdm":"magic"}}"#, "app", ["10", "5", "1"]),
            ("liveactivity", activity, "app.push-type.liveactivity", ["10", "5", "5"]),
            ("pushtotalk", data, "app.voip-ptt", ["10", "10", "10"]),
            ("widgets", data, "app.push-type.widgets", ["10", "5", "1"]),
            ("controls", data, "app.push-type.controls", ["10", "5", "1"]),
        ]
    )
    func types(type: String, content: String, topic: String, priorities: [String]) throws {
        for (urgency, priority) in zip(["high", "normal", "low"], priorities) {
            let options = #""options":{"priority":"\#(urgency)","apns":{"pushType":"\#(type)"},"ttlSeconds":20}"#
            let expiration = type == "pushtotalk" ? "0" : "1700000020"
            let expected = [
                "apns-push-type": type, "apns-priority": priority, "apns-topic": topic, "apns-id": Self.messageID,
                "apns-collapse-id": PushExample.job.description, "apns-expiration": expiration,
            ]
            #expect(try APNsJob.headers("\(content),\(options)") == expected)
        }
    }

    @Test("every push type of Apple is in the table above")
    func complete() {
        #expect(APNsPushType.allCases.count == 11)
    }

    @Test(
        "the push type follows from the content",
        arguments: [
            (text, "alert"), (data, "background"), (activity, "liveactivity"),
            (#""content":{"badge":0}"#, "alert"), (#""content":{"sound":"default"}"#, "alert"),
            (#""content":{"sound":"none","data":{"a":1}}"#, "background"),
            (#""content":{"rich":{"id":1}}"#, "background"),
        ]
    )
    func derived(content: String, type: String) throws {
        #expect(try APNsJob.headers(content)["apns-push-type"] == type)
    }

    @Test("without an expiry Apple keeps the push as long as it likes")
    func noExpiry() throws {
        #expect(try APNsJob.headers(Self.text)["apns-expiration"] == nil)
    }

    @Test(
        "a call is tried once, unless the job lets it expire within half a minute",
        arguments: [("", "0"), (#""ttlSeconds":30,"#, "1700000030"), (#""ttlSeconds":31,"#, "0")]
    )
    func call(expiry: String, expiration: String) throws {
        let options = #""options":{\#(expiry)"apns":{"pushType":"voip"}}"#
        #expect(try APNsJob.headers("\(Self.data),\(options)")["apns-expiration"] == expiration)
    }

    @Test(
        "a collapse key that no header can carry is hashed",
        arguments: ["a\\nb", " a", "a ", "\\u007f", "a\\u0001", "\\ta"]
    )
    func unsafeKey(key: String) throws {
        let id = try APNsJob.headers(#"\#(Self.text),"options":{"collapseKey":"\#(key)"}"#)["apns-collapse-id"]
        #expect(id?.utf8.count == 43)
    }

    @Test("a collapse key within Apple's limit is taken as it is", arguments: ["a b", "invite-7", "é", "\\\""])
    func safeKey(key: String) throws {
        let id = try APNsJob.headers(#"\#(Self.text),"options":{"collapseKey":"\#(key)"}"#)["apns-collapse-id"]
        #expect(id == key.replacing("\\", with: ""))
    }
}
