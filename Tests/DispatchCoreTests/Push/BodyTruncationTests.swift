import DispatchCore
import Testing

@Suite("Shortened bodies")
struct BodyTruncationTests {
    /// Characters that must not be cut: an accent on its own, a joined family, a flag, a keycap, a skin tone, an escape.
    private static let units = ["e\u{301}", "👨‍👩‍👧‍👦", "🇫🇷", "1️⃣", "👍🏽", "\"", "\n", "<", "\u{1}", "x", "й", "語"]

    private func context(_ oversize: Oversize) -> RenderContext {
        var options = PushOptions(notification: PushExample.job)
        options.oversize = oversize
        return RenderContext(options: options, now: PushExample.now)
    }

    private func render(_ body: String, on platform: Platform, _ oversize: Oversize) throws(RenderError) -> PreparedPush
    {
        let content = Content(title: "Title", body: .literal(body))
        return try PushRenderer.prepare(.neutral(content), for: platform, in: context(oversize))
    }

    @Test("the longest prefix of whole characters that fits is kept", arguments: Platform.allCases, units)
    func longest(platform: Platform, unit: String) throws {
        let body = String(repeating: unit, count: 7_000)
        #expect(throws: RenderError.self) { try render(body, on: platform, .refuse) }
        let shortened = try render(body, on: platform, .truncate)
        #expect(shortened.size <= platform.payloadLimit)
        let tens = try #require((0..<700).first { !fits(unit, $0 * 10 + 10, on: platform) })
        let kept = try #require((tens * 10...tens * 10 + 9).last { fits(unit, $0, on: platform) })
        let expected = try render(String(repeating: unit, count: kept) + "…", on: platform, .refuse)
        #expect(shortened.bodyHead == expected.bodyHead && shortened.bodyTail == expected.bodyTail)
    }

    private func fits(_ unit: String, _ count: Int, on platform: Platform) -> Bool {
        (try? render(String(repeating: unit, count: count) + "…", on: platform, .refuse)) != nil
    }

    @Test("a body that fits stays whole", arguments: Platform.allCases)
    func fitting(platform: Platform) throws {
        let whole = try render("Hello 👨‍👩‍👧‍👦", on: platform, .truncate)
        #expect(whole.bodyTail == (try render("Hello 👨‍👩‍👧‍👦", on: platform, .refuse)).bodyTail)
        #expect(whole.bodyHead == (try render("Hello 👨‍👩‍👧‍👦", on: platform, .refuse)).bodyHead)
    }

    @Test("what is too large without its body is refused all the same", arguments: Platform.allCases)
    func hopeless(platform: Platform) {
        let data = [JSONMember(name: "a", value: .string(String(repeating: "x", count: 7_000)))]
        let content = Content(title: "Title", body: "Hello", data: data)
        let error = #expect(throws: RenderError.self) {
            try PushRenderer.prepare(.neutral(content), for: platform, in: context(.truncate))
        }
        #expect(error?.code == .tooLarge)
    }

    @Test("a text that the app brings is not shortened")
    func keyed() {
        let arguments = (0..<6).map { _ in String(repeating: "x", count: 1_000) }
        let content = Content(body: .keyed(key: "KEY", arguments: arguments, fallback: "short"))
        let error = #expect(throws: RenderError.self) {
            try PushRenderer.prepare(.neutral(content), for: .apns, in: context(.truncate))
        }
        #expect(error?.code == .tooLarge)
    }
}
