import Testing

@testable import DispatchCore

@Suite("Properties of shortened bodies")
struct TruncationPropertyTests {
    @Test("a long body is shortened whenever its first character would fit", arguments: Platform.allCases)
    func fits(platform: Platform) throws {
        var shortened = 0
        for seed in PropertyCount.seeds {
            var push = try GeneratedPush.neutral(seed: seed)
            var content = push.content
            content.localizations = []
            let body = Self.longBody(seed: seed)
            content.body = .literal(body)
            let character = body.prefix(1) + "…"
            var smallest = content
            smallest.body = .literal(String(character))
            push.context.options.oversize = .refuse
            let plain = push.rendered(content, for: platform)
            let least = push.rendered(smallest, for: platform)
            push.context.options.oversize = .truncate
            let result = push.rendered(content, for: platform)
            let place: Comment = "\(platform.name), seed \(seed): \(Self.words(result))"
            switch (plain, least) {
            case (.success(let plain), _):
                // What fits is left as it is.
                #expect(try result.get().body(channel: "t") == plain.body(channel: "t"), place)
            case (.failure(let refusal), .success) where refusal.code == .tooLarge:
                let push = try #require(try? result.get(), place)
                #expect(push.size <= push.limit, place)
                #expect(Self.isBeginning(of: body, in: push), place)
                shortened += 1
            case (.failure, .success), (.failure, .failure):
                // A rule that is looked at after the size shows only once the size is right.
                #expect(throws: RenderError.self, place) { try result.get() }
            }
        }
        #expect(shortened > 0)
    }

    @Test("one character more would not have fitted", arguments: [Platform.apns, .fcmV1, .browser, .wns])
    func greatest(platform: Platform) throws {
        for seed in PropertyCount.seeds {
            let body = Self.longBody(seed: seed)
            let content = Content(title: "x", body: .literal(body))
            var options = PushOptions(notification: PushExample.job)
            options.oversize = .truncate
            let context = RenderContext(options: options, now: PushExample.now)
            let place: Comment = "\(platform.name), seed \(seed)"
            let result = Result { () throws(RenderError) in
                try PushRenderer.prepare(.neutral(content), for: platform, in: context)
            }
            guard case .success(let push) = result, let kept = Self.keptCharacters(of: body, in: push) else {
                Issue.record("\(place): \(Self.words(result))")
                continue
            }
            guard kept < body.count else { continue }
            var longer = content
            longer.body = .literal(String(body.prefix(kept + 1)) + "…")
            options.oversize = .refuse
            let strict = RenderContext(options: options, now: PushExample.now)
            #expect(throws: RenderError.self, place) {
                try PushRenderer.prepare(.neutral(longer), for: platform, in: strict)
            }
        }
    }

    /// 3,000 to 4,096 bytes of mixed characters.
    private static func longBody(seed: UInt64) -> String {
        var generator = DocumentGenerator(seed: seed &* 31)
        let length = 3_000 + generator.dice.below(1_090)
        var text = ""
        // Control characters are left out: platforms replace them, and the test could not find the body again.
        let pieces = DocumentGenerator.pieces.filter { piece in
            piece.unicodeScalars.allSatisfy { $0.value >= 0x20 && $0.properties.generalCategory != .control }
                && piece.unicodeScalars.allSatisfy { !(0xFDD0...0xFDEF ~= $0.value || $0.value & 0xFFFE == 0xFFFE) }
        }
        while text.utf8.count < length { text += generator.dice.pick(pieces) }
        while text.utf8.count > 4_096 { text.removeLast() }
        return text
    }

    /// Whether the text before the “…” that stands for the rest is a beginning of `body` by whole characters.
    private static func isBeginning(of body: String, in push: PreparedPush) -> Bool {
        keptCharacters(of: body, in: push) != nil
    }

    /// How many characters of `body` the push has before “…”; nil when no string of it is such a beginning.
    private static func keptCharacters(of body: String, in push: PreparedPush) -> Int? {
        let texts = push.isXML ? WireForms.texts(push.body(channel: "t")) : strings(in: push)
        let counts = texts.flatMap { [$0] + $0.split(separator: "\n").map(String.init) }.compactMap { text -> Int? in
            if text.hasSameBytes(as: body) { return body.count }
            guard text.hasSuffix("…") else { return nil }
            let kept = String(text.dropLast())
            let count = kept.count
            return String(body.prefix(count)).hasSameBytes(as: kept) && count > 0 ? count : nil
        }
        return counts.max()
    }

    private static func strings(in push: PreparedPush) -> [String] {
        func all(in value: JSONValue) -> [String] {
            switch value {
            case .string(let text):
                let inner = text.hasPrefix("{") ? (try? JSONParser.parse(Array(text.utf8))).map(all) ?? [] : []
                return [text] + inner
            case .array(let elements): return elements.flatMap(all)
            case .object(let members): return members.flatMap { all(in: $0.value) }
            case .null, .bool, .number: return []
            }
        }
        return (try? JSONParser.parse(push.body(channel: "t"))).map(all) ?? []
    }

    private static func words(_ result: Result<PreparedPush, RenderError>) -> String {
        switch result {
        case .success(let push): "\(push.size) bytes"
        case .failure(let error): error.description
        }
    }
}
