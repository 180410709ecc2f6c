import Testing

@testable import HTTP

@Suite struct HTTPTargetTests {
    @Test("segments are split before they are decoded")
    func segments() throws {
        #expect(try HTTPTarget("/").segments == [""])
        #expect(try HTTPTarget("/a/b").segments == ["a", "b"])
        #expect(try HTTPTarget("/a//b/").segments == ["a", "", "b", ""])
        #expect(try HTTPTarget("/a%2Fb/c").segments == ["a/b", "c"])
        #expect(try HTTPTarget("/%E2%82%AC+").segments == ["€+"])
        #expect(try HTTPTarget("http://host:1/a?b").segments == ["a"])
        #expect(try HTTPTarget("HTTPS://host/a?b").rawQuery.map(Array.init) == [UInt8(ascii: "b")])
    }

    @Test("query items keep their order and their repetitions")
    func query() throws {
        let target = try HTTPTarget("/a?x=1&y&x=2+3&&z=a%26b%3D&=e")
        #expect(target.query.map(\.name) == ["x", "y", "x", "z", ""])
        #expect(target.queryValues("x") == ["1", "2 3"])
        #expect(target.firstQueryValue("z") == "a&b=")
        #expect(target.query[2].raw == Array("x=2+3".utf8))
        #expect(try HTTPTarget("/a").rawQuery == nil)
        #expect(try HTTPTarget("/a?").query.isEmpty)
    }

    @Test(
        "a malformed target is refused",
        arguments: [
            ("", HTTPTargetError.notAPath), ("a", .notAPath), ("*", .notAPath), ("http://", .notAPath),
            ("http:///a", .notAPath), ("ftp://a/b", .notAPath), ("/a b", .invalidCharacter), ("/ä", .invalidCharacter),
            ("/a#b", .invalidCharacter), ("/a\u{7F}", .invalidCharacter), ("/%", .badEscape), ("/%4", .badEscape),
            ("/%4g", .badEscape), ("/?a=%x", .badEscape), ("/%00", .zeroOctet), ("/?a=%00", .zeroOctet),
            ("/%FF", .notUTF8), ("/?%C3", .notUTF8), ("/.", .dotSegment), ("/a/..", .dotSegment),
            ("/%2e%2E/b", .dotSegment),
        ]
    )
    func refused(text: String, error: HTTPTargetError) {
        #expect(throws: error) { try HTTPTarget(text) }
    }

    @Test("what is encoded decodes to itself", arguments: [1, 2, 3])
    func roundTrip(seed: UInt64) throws {
        var generator = SeededGenerator(seed: seed)
        for _ in 0..<2000 {
            let scalars = (0..<Int.random(in: 1...12, using: &generator)).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 1...0x2FFF, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            guard text != ".", text != ".." else { continue }
            let target = try HTTPTarget("/\(PercentEncoding.encode(text))?q=\(PercentEncoding.encode(text))")
            #expect(target.segments == [text], "seed \(seed)")
            #expect(target.firstQueryValue("q") == text, "seed \(seed)")
        }
    }

    @Test("any octets are read or refused", arguments: [1, 2, 3])
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("/%?&=+.02fFaz#: é".utf8)
        var accepted = 0
        for _ in 0..<20_000 {
            let length = Int.random(in: 0...24, using: &generator)
            let bytes = [UInt8(ascii: "/")] + (0..<length).map { _ in alphabet.randomElement(using: &generator) ?? 0 }
            if let target = try? HTTPTarget(bytes) {
                accepted += 1
                #expect(target.raw == bytes, "seed \(seed)")
                #expect(target.segments.count == target.rawPath.count { $0 == UInt8(ascii: "/") }, "seed \(seed)")
            }
        }
        #expect(accepted > 100)
    }
}
