import DispatchCore
import Testing

@Suite("Templates and native payloads are held to the same rules")
struct TemplateAgreementTests {
    private static let apple: [(String, [String])] = [
        (
            "alert",
            [#""$(a)""#, ##""#(n)""##, #"{"title":"$(a)","loc-args":["$(a)"]}"#, ##"{"loc-args":["#(n)"]}"##, "5"]
        ),
        ("badge", [##""#(n)""##, ##""#(a)""##, "1", "-1", "null"]),
        ("sound", [#""$(none)""#, #""$(a)""#, ##"{"critical":"#(one)","volume":"#(n)"}"##, ##""#(none)""##]),
        ("event", [#""$(event)""#, #""end""#, #""$(a)""#]), ("timestamp", [##""#(n)""##, "1", #""$(n)""#]),
        ("content-state", [#"{"x":"$(a)"}"#, #""$(a)""#]), ("content-available", ["1", ##""#(one)""##, "true"]),
        ("interruption-level", [#""active""#, #""$(level)""#, #""$(a)""#, ##""#(n)""##]),
        ("relevance-score", [##""#(one)""##, "2", #""$(one)""#]), ("mutable-content", ["1", ##""#(n)""##]),
        ("content-changed", ["true", "1"]), ("x", [#""$(a)""#, ##""#(n)""##]),
    ]
    private static let android: [(String, [String])] = [
        ("ttl", [#""$(ttl)""#, #""60s""#, #""$(a)""#, ##""#(n)""##]),
        ("priority", [#""$(a)""#, #""high""#, #""$(high)""#]),
        ("data", [#"{"x":"$(a)"}"#, ##"{"x":"#(n)"}"##, #"{"from":"$(a)"}"#, #""$(a)""#]),
        ("collapse_key", [#""$(a)""#, ##""#(n)""##]), ("fcm_options", [#"{"analytics_label":"$(a)"}"#, "{}"]),
        (
            "notification",
            [
                #"{"title":"$(a)","color":"$(colour)"}"#, #"{"color":"$(a)"}"#, ##"{"notification_count":"#(n)"}"##,
                #"{"title_loc_key":"$(a)","title_loc_args":["$(a)"]}"#, #"{"visibility":"$(a)","sound":"$(none)"}"#,
                #"{"title_loc_key":"$(none)","title_loc_args":["$(a)"]}"#, #""$(a)""#, ##"{"sticky":"#(n)"}"##,
            ]
        ),
    ]
    private static let properties =
        ##"{"a":"x","n":3,"one":"1","none":"","event":"end","ttl":"60s","level":"passive","high":"HIGH","colour":"#aabbcc"}"##

    private func object(_ members: [(String, [String])], _ dice: inout SplitMix) -> String {
        let chosen = members.shuffled(using: &dice).prefix(1 + dice.below(4))
        return "{" + chosen.map { "\"\($0.0)\":\(dice.pick($0.1))" }.joined(separator: ",") + "}"
    }

    @Test(
        "a template makes a push where its rendering is allowed as a native payload",
        arguments: [Platform.apns, .fcmV1]
    )
    func agreement(platform: Platform) throws {
        var counts = (sent: 0, failed: 0, refused: 0)
        for seed in 0..<(PropertyCount.seeds.count * 10) {
            var dice = SplitMix(seed: UInt64(seed))
            let body =
                platform == .apns
                ? "{\"aps\":\(object(Self.apple, &dice))}" : "{\"android\":\(object(Self.android, &dice))}"
            let types: [APNsPushType?] = [nil, nil, nil] + APNsPushType.allCases
            let type = platform == .apns ? dice.pick(types) : nil
            let syntax = dice.pick(TemplateSyntax.allCases)
            let isAllowed = try isNativeAllowed(body, as: type, on: platform, syntax: syntax)
            guard let template = try? TemplateExample.template(body, on: platform, syntax: syntax) else {
                counts.refused += 1
                #expect(try !isNativeAllowed(body, as: nil, on: platform, syntax: syntax), "\(body)")
                continue
            }
            let push = try? template.render(
                TemplateExample.properties(Self.properties),
                in: context(type)
            )
            #expect((push != nil) == isAllowed, "\(body) as \(type?.rawValue ?? "-"), \(syntax)")
            if push == nil { counts.failed += 1 } else { counts.sent += 1 }
        }
        #expect(counts.sent > 20 && counts.failed > 20 && counts.refused > 20, "\(counts)")
    }

    private func context(_ type: APNsPushType?) -> RenderContext {
        var context = TemplateExample.context
        context.options.platforms.pushType = type
        return context
    }

    /// The rendering is a browser's, which has no rules.
    private func isNativeAllowed(
        _ body: String,
        as type: APNsPushType?,
        on platform: Platform,
        syntax: TemplateSyntax
    ) throws -> Bool {
        let template = try TemplateExample.template(body, on: .browser, syntax: syntax)
        let rendering = try template.render(TemplateExample.properties(Self.properties), in: TemplateExample.context)
        let payload = try JSONParser.parse(rendering.bodyHead)
        return (try? PushRenderer.prepare(.native([platform: payload]), for: platform, in: context(type))) != nil
    }
}
