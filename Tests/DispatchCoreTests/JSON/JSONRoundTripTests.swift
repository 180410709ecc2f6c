import DispatchCore
import Testing

@Suite struct JSONRoundTripTests {
    @Test("what is written reads back", arguments: [1, 2, 3, 4])
    func writeThenParse(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        for _ in 0..<2_000 {
            let value = Self.value(depth: 4, using: &generator)
            let bytes = JSONWriter.encode(value)
            #expect(try JSONParser.parse(bytes) == value, "seed \(seed): \(String(decoding: bytes, as: UTF8.self))")
        }
    }

    @Test("compact JSON is written back byte for byte")
    func exactBytes() throws {
        let text = #"{"a":[1.10,-0,1E+2,12345678901234567890],"é/\"\\\n\u0001":[],"o":{},"t":true,"f":false,"n":null}"#
        #expect(String(decoding: JSONWriter.encode(try JSONParser.parse(Array(text.utf8))), as: UTF8.self) == text)
    }

    @Test("only quotes, backslashes and control characters are escaped")
    func escaping() {
        var bytes: [UInt8] = []
        JSONWriter.escaped("a\"b\\c/d\u{8}\t\n\u{c}\r\u{1}\u{1f}\u{7f}\u{2028}é😀", into: &bytes)
        #expect(String(decoding: bytes, as: UTF8.self) == #"a\"b\\c/d\b\t\n\f\r\u0001\u001f"# + "\u{7f}\u{2028}é😀")
    }

    @Test("the streaming verbs place the commas")
    func streaming() {
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("a")
        writer.number(1)
        writer.key("b")
        writer.beginArray()
        writer.string("x{")
        writer.null()
        writer.bool(true)
        writer.raw("{\"y\":2}\n")
        writer.number(7)
        writer.endArray()
        writer.key("c")
        writer.object([])
        writer.endObject()
        #expect(String(decoding: writer.bytes, as: UTF8.self) == #"{"a":1,"b":["x{",null,true,{"y":2}\#n,7],"c":{}}"#)
    }

    @Test("no mutated document crashes the parser, and what passes is written back equal")
    func fuzz() throws {
        var generator = SplitMix(seed: 25)
        let seeds = [
            #"{"id":"0193f2c4","to":{"tags":"a && !b"},"n":[1,-2.5e3,null,true],"s":"\u00e9\ud83d\ude00é\n"}"#,
            #"[[[{"a":{"b":[]}}]],"",0.1,{"x":{},"y":"😀"}]"#,
        ].map { Array($0.utf8) }
        for _ in 0..<100_000 {
            let bytes = generator.pick(seeds).mutated(using: &generator)
            do throws(JSONError) {
                let value = try JSONParser.parse(bytes)
                let written = try? JSONParser.parse(JSONWriter.encode(value))
                #expect(written == value)
            } catch {
                guard error.offset > bytes.count else { continue }
                Issue.record("offset \(error.offset) outside of \(bytes)")
            }
        }
    }

    private static func value(depth: Int, using generator: inout SplitMix) -> JSONValue {
        switch generator.below(depth > 0 ? 7 : 5) {
        case 0: .null
        case 1: .bool(generator.below(2) == 0)
        case 2: .number(JSONNumber(Int64(truncatingIfNeeded: generator.next())))
        case 3, 4: .string(text(using: &generator))
        case 5: .array((0..<generator.below(4)).map { _ in value(depth: depth - 1, using: &generator) })
        default:
            .object(
                (0..<generator.below(16)).map { index in
                    JSONMember(
                        name: "\(index)" + text(using: &generator),
                        value: value(depth: depth - 2, using: &generator)
                    )
                }
            )
        }
    }

    private static func text(using generator: inout SplitMix) -> String {
        let alphabet = Array("ab\"\\/\u{1}\u{1f}\n\t é\u{301}\u{7f}\u{2028}😀\u{FFFF}").map(String.init)
        return (0..<generator.below(12)).map { _ in generator.pick(alphabet) }.joined()
    }
}
