import Testing

@testable import HTTP

@Suite struct MediaTypeTests {
    @Test("type, subtype and parameters are read")
    func read() throws {
        let type = try #require(MediaType("Text/HTML ; Charset=utf-8;q=\"a\\\"b;c\" ;"))
        #expect(type.essence == "text/html")
        #expect(type.parameter("charset") == "utf-8")
        #expect(type.parameter("q") == "a\"b;c")
        #expect(MediaType("application/problem+json")?.isJSON == true)
        #expect(MediaType("application/json")?.isJSON == true)
        #expect(MediaType("text/json5")?.isJSON == false)
    }

    @Test(
        "a malformed type is refused",
        arguments: [
            "", "text", "text/", "/a", "a/b/c", "text/html; a", "text/html; =b", "text/html; a=", "text/html; a=\"b",
            "text/html; a=b; A=c", "te xt/html", "text/html, text/plain", "text/html; a=b c", "text/html\r\n",
        ]
    )
    func refused(text: String) {
        #expect(MediaType(text) == nil)
    }

    @Test("any text is read or refused", arguments: [1, 2])
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("a/;=\"\\ ,b\t")
        var accepted = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...16, using: &generator)
            let text = "a/b" + String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
            if let type = MediaType(text) {
                accepted += 1
                #expect(Set(type.parameters.map(\.name)).count == type.parameters.count, "seed \(seed): \(text)")
            }
        }
        #expect(accepted > 50)
    }
}
