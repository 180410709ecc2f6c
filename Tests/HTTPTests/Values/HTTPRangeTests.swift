import Testing

@testable import HTTP

@Suite struct HTTPRangeTests {
    @Test(
        "a range field is read as RFC 9110 says",
        arguments: [
            (nil, 10, HTTPRange.whole), ("bytes=0-0", 10, .part(0..<1)), ("bytes=2-4", 10, .part(2..<5)),
            ("bytes=2-", 10, .part(2..<10)), ("bytes=2-99", 10, .part(2..<10)), ("bytes=-3", 10, .part(7..<10)),
            ("bytes=-99", 10, .part(0..<10)), ("BYTES=0-1", 10, .part(0..<2)), ("bytes= 0-1 ", 10, .part(0..<2)),
            ("bytes=10-", 10, .unsatisfiable), ("bytes=-0", 10, .unsatisfiable), ("bytes=0-", 0, .unsatisfiable),
            ("bytes=-1", 0, .unsatisfiable), ("bytes=4-2", 10, .whole), ("bytes=0-1,3-4", 10, .whole),
            ("bytes=", 10, .whole), ("bytes=-", 10, .whole), ("bytes=a-b", 10, .whole), ("items=0-1", 10, .whole),
            ("bytes=0-18446744073709551615", 10, .part(0..<10)), ("bytes=0-99999999999999999999", 10, .whole),
            ("bytes=18446744073709551615-", 10, .unsatisfiable),
        ] as [(String?, UInt64, HTTPRange)]
    )
    func table(field: String?, length: UInt64, range: HTTPRange) {
        #expect(HTTPRange(field, length: length) == range)
    }

    @Test("whatever is asked, a part lies within the representation", arguments: [1, 2])
    func fuzz(seed: UInt64) {
        var generator = SeededGenerator(seed: seed)
        let alphabet = Array("0123456789-, =x")
        var parts = 0
        for _ in 0..<20_000 {
            let count = Int.random(in: 0...10, using: &generator)
            let field = "bytes=" + String((0..<count).compactMap { _ in alphabet.randomElement(using: &generator) })
            let length = UInt64.random(in: 0...20, using: &generator)
            guard case .part(let range) = HTTPRange(field, length: length) else { continue }
            parts += 1
            if range.isEmpty || range.upperBound > length { Issue.record("seed \(seed): \(field)") }
        }
        #expect(parts > 100)
    }
}
