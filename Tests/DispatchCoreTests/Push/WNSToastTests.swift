import Foundation
import FoundationXML
import Testing

@testable import DispatchCore

@Suite("WNS toasts")
struct WNSToastTests {
    private let example = RenderedExample(platform: .wns)

    @Test("all XML among the examples is well-formed", arguments: PushExample.all)
    func wellFormed(example: PushExample) throws {
        guard let push = try? PushRenderer.prepare(example.content, for: .wns, in: example.context) else { return }
        guard push.header("Content-Type") == "text/xml" else { return }
        #expect(try XMLElements(push.bodyHead).names.first.map { ["toast", "badge", "tile"].contains($0) } == true)
    }

    @Test("markup, quotes and line ends come back as they were; what XML cannot hold is replaced")
    func escaping() throws {
        let text = "a & b < c > d \" e ' f\r\n\tg \u{1}\u{7F}\u{85}\u{2028}\u{FFFE}🎉]]>&amp;"
        let content = Content(title: .literal(text), data: [JSONMember(name: text, value: .string(text))])
        let context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)
        let push = try PushRenderer.prepare(.neutral(content), for: .wns, in: context)
        let elements = try XMLElements(push.bodyHead)
        #expect(elements.texts == [text.replacing("\u{1}", with: "\u{FFFD}").replacing("\u{FFFE}", with: "\u{FFFD}")])
        let launch = try JSONParser.parse(Array((elements.attributes["toast"]?["launch"] ?? "").utf8))
        // JSON has an escape of its own for the control character, so nothing but U+FFFE is lost.
        let kept = text.replacing("\u{FFFE}", with: "\u{FFFD}")
        #expect(launch[kept] == .string(kept))
    }

    @Test("any text comes back from a toast and from a browser's message", arguments: 1...40 as ClosedRange<UInt64>)
    func anyText(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        let pieces = ["&", "<", ">", "\"", "'", "\r", "\n", "\t", "\\", "]]>", "&#0;", "\u{7F}", "é", "🎉", " ", "a"]
        let text = "x" + (0..<30).map { _ in generator.pick(pieces) }.joined() + "x"
        let content = Content(title: .literal(text), data: [JSONMember(name: text, value: .string(text))])
        let context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)
        let elements = try XMLElements(PushRenderer.prepare(.neutral(content), for: .wns, in: context).bodyHead)
        #expect(elements.texts == [text])
        let launch = try JSONParser.parse(Array((elements.attributes["toast"]?["launch"] ?? "").utf8))
        #expect(launch[text] == .string(text))
        let push = try PushRenderer.prepare(.neutral(content), for: .browser, in: context)
        let message = try JSONParser.parse(push.bodyHead)
        #expect(message["notification"]?["title"] == .string(text))
        #expect(message["notification"]?["data"]?[text] == .string(text))
    }

    @Test("at most five buttons and five fields are written; a button without its field stays")
    func limits() throws {
        let actions = (0..<7).map { #"{"id": "\#($0)", "title": "T\#($0)", "input": {"buttonTitle": "B\#($0)"}}"# }
        let inputs = (0..<3).map { #"{"id": "own\#($0)", "type": "text"}"# }
        let xml = try xml(
            """
            {"title": "x", "actions": [\(actions.joined(separator: ","))],
             "wns": {"inputs": [\(inputs.joined(separator: ","))]}}
            """
        )
        #expect(xml.count(of: "<action ") == 5)
        #expect(xml.count(of: "<input ") == 5)
        #expect(xml.count(of: "hint-inputId") == 2)
        #expect(xml.contains(#"<action content="B1""#))
        #expect(xml.contains(#"<action content="T2""#))
    }

    @Test("icons are written when every button has one that Windows can fetch")
    func icons() throws {
        func icons(_ names: [String]) throws -> Int {
            let actions = names.enumerated().map { #"{"id": "\#($0)", "title": "T", "icon": "\#($1)"}"# }
            return try xml(#"{"title": "x", "actions": [\#(actions.joined(separator: ","))]}"#).count(of: "imageUri")
        }
        #expect(try icons(["https://e.example/a", "ms-appx:///a"]) == 2)
        #expect(try icons(["https://e.example/a", "checkmark"]) == 0)
    }

    @Test(
        "a sound is what Windows knows of it",
        arguments: [
            (#""sound": "ms-winsoundevent:Notification.IM""#, #"<audio src="ms-winsoundevent:Notification.IM"/>"#),
            (#""sound": {"name": "MS-APPX:///a.wav"}"#, #"<audio src="MS-APPX:///a.wav"/>"#),
            (#""sound": "https://e.example/a.wav""#, ""), (#""sound": "bell.caf""#, ""), (#""sound": "default""#, ""),
            (#""sound": "none""#, #"<audio silent="true"/>"#),
            (#""interruptionLevel": "passive""#, #"<audio silent="true"/>"#),
            (#""interruptionLevel": "passive", "sound": "default""#, ""),
            (#""sound": "none", "wns": {"audio": {"silent": false}}"#, #"<audio silent="false"/>"#),
            (#""wns": {"audio": {"src": "a:b", "loop": false}}"#, #"<audio src="a:b" loop="false"/>"#),
        ]
    )
    func audio(members: String, element: String) throws {
        let xml = try xml(#"{"title": "x", \#(members)}"#)
        #expect(xml.contains("</visual>" + element + "</toast>"))
    }

    @Test("a loop makes the toast long unless the job says otherwise")
    func loop() throws {
        func duration(_ wns: String) throws -> String? {
            let xml = try xml(#"{"title": "x", "wns": {\#(wns)}}"#)
            return try XMLElements(Array(xml.utf8)).attributes["toast"]?["duration"]
        }
        #expect(try duration(#""audio": {"loop": true}"#) == "long")
        #expect(try duration(#""audio": {"loop": true}, "duration": "short""#) == "short")
        #expect(try duration(#""audio": {"loop": false}"#) == nil)
    }

    @Test("a level is a scenario unless the job says otherwise")
    func scenario() throws {
        func scenario(_ members: String) throws -> String? {
            let xml = try xml(#"{"title": "x", \#(members)}"#)
            return try XMLElements(Array(xml.utf8)).attributes["toast"]?["scenario"]
        }
        #expect(try scenario(#""interruptionLevel": "critical""#) == "urgent")
        #expect(try scenario(#""interruptionLevel": "critical", "wns": {"scenario": "alarm"}"#) == "alarm")
        #expect(try scenario(#""interruptionLevel": "active""#) == nil)
    }

    @Test(
        "a picture stands where it is asked to",
        arguments: [
            (#"{"src": "ms-appx:///a"}"#, #"<image src="ms-appx:///a"/>"#),
            (#"{"src": "a:b", "placement": "inline", "crop": "circle"}"#, #"<image src="a:b" hint-crop="circle"/>"#),
            (
                #"{"src": "a:b", "placement": "appLogoOverride", "crop": "circle", "alt": "c"}"#,
                #"<image placement="appLogoOverride" src="a:b" hint-crop="circle" alt="c"/>"#
            ),
            (#"{"src": "a:b", "placement": "hero", "crop": "circle"}"#, #"<image placement="hero" src="a:b"/>"#),
        ]
    )
    func image(image: String, element: String) throws {
        let attachment = #""attachment": {"url": "https://e.example/a.png"}"#
        let xml = try xml(#"{"title": "x", \#(attachment), "wns": {"image": \#(image)}}"#)
        #expect(xml.contains("</text>" + element + "</binding>"))
    }

    @Test("fields have what they are given")
    func inputs() throws {
        let xml = try xml(
            #"""
            {"title": "x", "wns": {"inputs": [
              {"id": "t", "type": "text", "placeholder": "p", "title": "T", "default": "d"},
              {"id": "s", "type": "selection", "selections": [{"id": "1", "content": "one"}]}]}}
            """#
        )
        let fields = """
            <actions><input id="t" type="text" placeHolderContent="p" title="T" defaultInput="d"/>\
            <input id="s" type="selection"><selection id="1" content="one"/></input></actions>
            """
        #expect(xml.contains(fields))
    }

    @Test("three contents in a row share nothing")
    func independence() throws {
        let actions = #"[{"id": "a", "title": "A", "options": ["destructive"]}]"#
        let rich = #"{"title": "x", "sound": "none", "actions": \#(actions)}"#
        let first = try xml(rich)
        let second = try xml(#"{"body": "y"}"#)
        #expect(try xml(rich) == first)
        let identity = "{&quot;notificationId&quot;:&quot;\(PushExample.job)&quot;}"
        let visual = #"<visual><binding template="ToastGeneric"><text>y</text></binding></visual>"#
        #expect(second == "<toast launch=\"\(identity)\">\(visual)</toast>")
    }

    private func xml(_ content: String) throws -> String {
        String(decoding: try example.push(content).bodyHead, as: UTF8.self)
    }
}

extension String {
    fileprivate func count(of part: String) -> Int {
        components(separatedBy: part).count - 1
    }
}
