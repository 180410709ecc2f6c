import DispatchCore
import Testing

@Suite("The choice of a language")
struct LocalizationTests {
    private static let languages = ["fr", "pt-BR", "zh-Hant", "zh-Hant-TW", "en-x-pirate", "sr-Latn"]

    private var content: Content {
        var content = Content(title: "Hello", subtitle: "Today", body: "World")
        content.localizations = Self.languages.map { ContentLocalization(locale: $0, title: $0) }
        return content
    }

    @Test(
        "a language tag is looked up by RFC 4647, from the whole to its first subtag",
        arguments: [
            ("fr", "fr"), ("FR-ca", "fr"), ("fr-FR-u-ca-gregory", "fr"), ("pt-br", "pt-BR"), ("pt", nil),
            ("pt-PT", nil), ("zh-Hant-HK", "zh-Hant"), ("zh-hant-tw", "zh-Hant-TW"), ("zh", nil), ("en", nil),
            ("en-x-pirate", "en-x-pirate"), ("en-x-pirate-loud", "en-x-pirate"), ("sr-Latn-RS-x-a", "sr-Latn"),
            ("de", nil), ("", nil), ("-", nil), (nil, nil),
        ] as [(String?, String?)]
    )
    func lookup(locale: String?, expected: String?) {
        let index = content.localizationIndex(for: locale)
        #expect(index.map { Self.languages[$0] } == expected)
    }

    @Test("a localization replaces the members it has, and no device sees another's")
    func replacement() throws {
        var content = content
        content.localizations = [
            ContentLocalization(locale: "fr", title: "Bonjour", body: "Le monde"),
            ContentLocalization(locale: "pt-BR", body: "Mundo"),
        ]
        func alert(_ locale: String?) throws -> JSONValue? {
            var context = RenderContext(options: PushOptions(notification: PushExample.job), now: PushExample.now)
            context.locale = locale
            let push = try PushRenderer.prepare(.neutral(content), for: .apns, in: context)
            return try JSONParser.parse(push.body(channel: "t"))["aps"]?["alert"]
        }
        func texts(_ title: String, _ body: String) -> JSONValue {
            .object([
                JSONMember(name: "title", value: .string(title)), JSONMember(name: "subtitle", value: .string("Today")),
                JSONMember(name: "body", value: .string(body)),
            ])
        }
        #expect(try alert("fr") == texts("Bonjour", "Le monde"))
        #expect(try alert("pt-BR") == texts("Hello", "Mundo"))
        #expect(try alert("de") == texts("Hello", "World"))
        #expect(try alert(nil) == texts("Hello", "World"))
    }
}
