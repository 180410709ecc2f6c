import DispatchCore
import Testing

@Suite("The rules for native payloads, applied to templates")
struct TemplateRuleTests {
    private let properties = #"{"a":"x","n":"3","none":"","event":"end","ttl":"60s","half":"0.5","type":"voip"}"#

    private func render(_ template: InstallationTemplate, as type: APNsPushType? = nil) throws -> PreparedPush {
        var context = TemplateExample.context
        context.options.platforms.pushType = type
        return try template.render(TemplateExample.properties(properties), in: context)
    }

    @Test(
        "what no properties can mend is refused at registration, with its place",
        arguments: [
            (Platform.apns, #"{"aps":{"alert":"$(a)","mutable-content":true}}"#, "$.aps.mutable-content"),
            (.apns, #"{"aps":{"alert":5},"x":"$(a)"}"#, "$.aps.alert"),
            (.apns, #"{"aps":{"alert":"$(a)","badge":-1}}"#, "$.aps.badge"),
            (.apns, #"{"aps":{"event":"update","content-state":{"x":"$(a)"}}}"#, "$.aps.timestamp"),
            (
                .apns,
                #"{"aps":{"event":"start","timestamp":1,"content-state":{"x":"$(a)"},"attributes-type":"A","attributes":{}}}"#,
                "$.aps.alert"
            ),
            (.fcmV1, #"{"data":{"x":"$(a)"},"android":{"ttl":60}}"#, "$.android.ttl"),
            (.fcmV1, #"{"message":{"data":{"x":"$(a)"},"android":{"ttl":"60"}}}"#, "$.message.android.ttl"),
            (.fcmV1, #"{"android":{"data":{"x":"$(a)","google.x":"y"}}}"#, "$.android.data.google.x"),
            (.fcmV1, #"{"notification":{"title":1},"data":{"x":"$(a)"}}"#, "$.notification.title"),
            (.adm, #"{"expiresAfter":60,"x":"$(a)"}"#, "$"),
            (.adm, #"{"data":{"x":"$(a)","y":1}}"#, "$.data.y"),
            (.hms, #"{"android":{"notification":{"title":"$(a)","body":"b"}}}"#, "$.android.notification"),
            (.hms, #"{"message":{"notification":{"title":"$(a)","body":"b"}}}"#, "$.message.notification"),
        ]
    )
    func registration(platform: Platform, body: String, path: String) {
        let error = #expect(throws: JobError.self) { try TemplateExample.template(body, on: platform) }
        #expect(error?.code == .badTemplate)
        #expect(error?.path == "$.body")
        #expect(error?.reason.hasPrefix("platformRule at \(path): ") == true)
        #expect(error?.reason.contains("native.") == false)
    }

    @Test(
        "a member that is missing is told at registration, whatever other members become",
        arguments: [
            (Platform.adm, #"{"priority":"$(a)"}"#, false), (.adm, #"{"priority":"$(a)","data":{}}"#, true),
            (.hms, ##"{"android":{"notification":{"title":"t","body":"b","notify_id":"#(n)"}}}"##, false),
            (.hms, #"{"message":{"notification":{"title":"t"},"android":{"urgency":"$(a)"}}}"#, false),
            (.hms, ##"{"android":{"notification":{"click_action":{"type":"#(n)"}}}}"##, true),
            (.hms, ##"{"notification":{"title":"t"},"android":"#(android)"}"##, true),
            (.hms, ##"{"data":"x","android":{"urgency":"$(a)"}}"##, true),
        ]
    )
    func lack(platform: Platform, body: String, isTaken: Bool) {
        let template = try? TemplateExample.template(body, on: platform, syntax: .extended)
        #expect((template != nil) == isTaken)
    }

    @Test("a push type that cannot have the body or the priority is refused at registration")
    func types() {
        for type in ["liveactivity", "widgets", "controls", "mdm", "background"] {
            let error = #expect(throws: JobError.self) {
                try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: ["apns-push-type": type])
            }
            #expect(error?.path == "$.body")
        }
        let headers = ["apns-push-type": "voip", "apns-priority": "1"]
        let error = #expect(throws: JobError.self) {
            try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: headers)
        }
        #expect(error?.path == "$.headers['apns-priority']")
    }

    @Test(
        "what only these properties make wrong fails the device",
        arguments: [
            (Platform.apns, ##"{"aps":{"alert":"#(n)"}}"##, "body.aps.alert"),
            (.apns, ##"{"aps":{"alert":"x","badge":"#(a)"}}"##, "body.aps.badge"),
            (.apns, #"{"aps":{"alert":"x","interruption-level":"$(a)"}}"#, "body.aps.interruption-level"),
            (.apns, ##"{"aps":{"alert":{"loc-key":"K","loc-args":["$(a)","#(n)"]}}}"##, "body.aps.alert.loc-args"),
            (.apns, ##"{"aps":{"event":"update","timestamp":"#(a)","content-state":{}}}"##, "body.aps.timestamp"),
            (.apns, #"{"aps":{"event":"$(a)","timestamp":1,"content-state":{}}}"#, "body.aps.event"),
            (.apns, #"{"aps":{"content-changed":true},"x":"$(a)"}"#, "content-available"),
            (.fcmV1, #"{"android":{"ttl":"$(a)"}}"#, "body.android.ttl"),
            (.fcmV1, ##"{"android":{"notification":{"title":"#(n)"}}}"##, "body.android.notification.title"),
            (.fcmV1, ##"{"android":{"data":{"x":"#(n)"}}}"##, "body.android.data.x"),
            (.adm, #"{"data":{},"priority":"$(a)"}"#, "body.priority"),
            (.hms, #"{"data":"x","android":{"urgency":"$(a)"}}"#, "body.android.urgency"),
        ]
    )
    func rendering(platform: Platform, body: String, place: String) throws {
        let template = try TemplateExample.template(body, on: platform)
        let error = #expect(throws: RenderError.self) { try render(template) }
        #expect(error?.code == .malformedTemplate)
        #expect(error?.reason.contains(place) == true)
    }

    @Test(
        "what the rules allow is sent with the push type that follows",
        arguments: [
            (##"{"aps":{"event":"$(event)","timestamp":"#(n)"}}"##, nil as APNsPushType?, "liveactivity"),
            (#"{"aps":{"content-changed":true},"x":"$(a)"}"#, .widgets, "widgets"),
            (#"{"aps":{},"mdm":"$(a)"}"#, .mdm, "mdm"),
            (##"{"aps":{"alert":"x","relevance-score":"#(half)","sound":"$(none)"}}"##, nil, "alert"),
            (#"{"aps":{"alert":{"loc-key":"$(a)","loc-args":["$(a)"]}}}"#, nil, "alert"),
        ]
    )
    func allowed(body: String, type: APNsPushType?, expected: String) throws {
        let push = try render(try TemplateExample.template(body, on: .apns), as: type)
        #expect(push.header("apns-push-type") == expected)
    }

    @Test("the priority must be one of the push type's")
    func priority() throws {
        let headers = ["apns-push-type": "$(type)", "apns-priority": "5"]
        let template = try TemplateExample.template(#"{"aps":{"alert":"$(a)"}}"#, on: .apns, headers: headers)
        let error = #expect(throws: RenderError.self) { try render(template) }
        #expect(error?.code == .malformedTemplate)
    }

    @Test("the empty sound of a background push is left out, as of a native one")
    func idleSound() throws {
        let body = #"{"aps":{"content-available":1,"sound":"$(none)"},"x":"$(a)"}"#
        let push = try render(try TemplateExample.template(body, on: .apns))
        #expect(push.header("apns-push-type") == "background")
        #expect(String(decoding: push.bodyHead, as: UTF8.self) == #"{"aps":{"content-available":1},"x":"x"}"#)
        let sounding = #"{"aps":{"content-available":1,"sound":"$(a)"}}"#
        #expect(try render(try TemplateExample.template(sounding, on: .apns)).header("apns-push-type") == "alert")
    }

    @Test("Firebase's members that it knows are taken")
    func firebase() throws {
        let body = #"{"android":{"ttl":"$(ttl)","notification":{"title":"$(a)"}},"data":{"n":3}}"#
        let push = try render(try TemplateExample.template(body, on: .fcmV1))
        let expected =
            #"{"message":{"token":"t","android":{"ttl":"60s","notification":{"title":"x"}},"data":{"n":"3"}}}"#
        #expect(String(decoding: push.body(channel: "t"), as: UTF8.self) == expected)
    }
}
