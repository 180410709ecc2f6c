import Testing

@testable import HTTP

@Suite struct HTTPHeadersTests {
    @Test("names compare without case, and repeated fields are kept")
    func lookup() throws {
        var headers = HTTPHeaders()
        try headers.add("X-A", "1")
        try headers.add("x-a", "2")
        try headers.add("Host", "h")
        #expect(headers["X-a"] == "1")
        #expect(headers.values(of: "X-A") == ["1", "2"])
        #expect(headers.count(of: "host") == 1)
        #expect(headers["X"] == nil)
        #expect(headers.bytes(of: "HOST") == [UInt8(ascii: "h")])
        try headers.set("x-A", "3")
        #expect(headers.fields.map(\.value) == ["h", "3"])
        headers.remove("HOST")
        #expect(headers.count == 1)
    }

    @Test("a name that is no token and a value with a control character are refused")
    func validity() {
        var headers = HTTPHeaders()
        for name in ["", "a b", "a:", "a\r", "ä", "a\u{0}"] {
            #expect(throws: HTTPHeaderError.invalidName) { try headers.add(name, "v") }
        }
        for value in ["a\r\nb", "a\n", "\r", "a\u{0}", "\u{7F}", "a\u{1B}"] {
            #expect(throws: HTTPHeaderError.invalidValue) { try headers.add("n", value) }
            #expect(throws: HTTPHeaderError.invalidValue) { try headers.set("n", value) }
        }
        #expect(headers.isEmpty)
        #expect(throws: Never.self) { try headers.add("n", "tab\tand ümlaut") }
    }
}
