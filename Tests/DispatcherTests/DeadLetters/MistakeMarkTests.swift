import Testing

@testable import Dispatcher

@Suite struct MistakeMarkTests {
    @Test("the caret stands under the byte, counted in characters")
    func body() throws {
        let body = Array(#"{"title":"é","id":}"#.utf8)
        let mark = try #require(MistakeMark(body: body, path: "$", offset: body.count - 1))
        #expect(mark.lines == ["byte 19:", #"{"title":"é","id":}"#, String(repeating: " ", count: 18) + "^"])
    }

    @Test("an offset in the text at a path is shown in that text")
    func expression() throws {
        let body = Array(#"{"to":{"tags":"well &&"}}"#.utf8)
        let mark = try #require(MistakeMark(body: body, path: "$.to.tags", offset: 7))
        #expect(mark.lines == ["$.to.tags, byte 7:", "well &&", "       ^"])
    }

    @Test("a long body is cut around the mistake, never inside a character, and shows no control characters")
    func window() throws {
        let body = Array((String(repeating: "ü", count: 100) + "\u{1B}\n!" + String(repeating: "ö", count: 100)).utf8)
        let mark = try #require(MistakeMark(body: body, path: nil, offset: 202))
        #expect(mark.lines[1].hasPrefix("ü") && !mark.lines[1].unicodeScalars.contains("\u{1B}"))
        let index = mark.lines[2].unicodeScalars.count - 1
        #expect(Array(mark.lines[1].unicodeScalars)[index] == "!")
    }

    @Test("without a place there is no mark, and one behind the end stands at the end")
    func edges() throws {
        #expect(MistakeMark(body: [0x7B], path: "$.hub", offset: nil) == nil)
        #expect(MistakeMark(body: [0x7B], path: "$.hub", offset: 3) == nil)
        #expect(try #require(MistakeMark(body: [0x7B], path: "$", offset: 9)).lines == ["byte 9:", "{", " ^"])
        #expect(try #require(MistakeMark(body: [], path: "$", offset: 0)).lines == ["byte 0:", "", "^"])
    }
}
