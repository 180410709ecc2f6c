import DispatchCore
import Testing

@Suite struct JSONParserTests {
    struct Refusal: Sendable {
        let name: String
        let bytes: [UInt8]
        let code: JSONError.Code
        let offset: Int

        init(_ text: String, _ code: JSONError.Code, _ offset: Int) {
            self.init(Array(text.utf8), code, offset)
        }

        init(_ bytes: [UInt8], _ code: JSONError.Code, _ offset: Int) {
            name = String(decoding: bytes.prefix(40), as: UTF8.self)
            self.bytes = bytes
            self.code = code
            self.offset = offset
        }
    }

    static let refusals: [Refusal] = [
        Refusal("", .unexpectedEnd, 0),
        Refusal("   ", .unexpectedEnd, 3),
        Refusal("{", .unexpectedEnd, 1),
        Refusal("{\"a\"", .unexpectedEnd, 4),
        Refusal("{\"a\":", .unexpectedEnd, 5),
        Refusal("{\"a\":1", .unexpectedEnd, 6),
        Refusal("{\"a\":1,}", .unexpectedByte, 7),
        Refusal("{a:1}", .unexpectedByte, 1),
        Refusal("{'a':1}", .unexpectedByte, 1),
        Refusal("[1,]", .unexpectedByte, 3),
        Refusal("[1 2]", .unexpectedByte, 3),
        Refusal("[", .unexpectedEnd, 1),
        Refusal("1 2", .trailingBytes, 2),
        Refusal("{}x", .trailingBytes, 2),
        Refusal("// no\n1", .unexpectedByte, 0),
        Refusal("\u{FEFF}{}", .unexpectedByte, 0),
        Refusal("tru", .unexpectedEnd, 3),
        Refusal("nul1", .unexpectedByte, 3),
        Refusal("NaN", .unexpectedByte, 0),
        Refusal("01", .trailingBytes, 1),
        Refusal("+1", .unexpectedByte, 0),
        Refusal("-", .unexpectedEnd, 1),
        Refusal("1.", .unexpectedEnd, 2),
        Refusal(".5", .unexpectedByte, 0),
        Refusal("1e", .unexpectedEnd, 2),
        Refusal("1e+x", .unexpectedByte, 3),
        Refusal("[1e100000]", .numberOutOfRange, 1),
        Refusal("[-1e309]", .numberOutOfRange, 1),
        Refusal("1e-400000", .numberOutOfRange, 0),
        Refusal(String(repeating: "9", count: 400), .numberOutOfRange, 0),
        Refusal("0." + String(repeating: "0", count: 600), .numberOutOfRange, 0),
        Refusal("\"abc", .unexpectedEnd, 4),
        Refusal("\"a\\", .unexpectedEnd, 3),
        Refusal("\"\\x\"", .unexpectedByte, 2),
        Refusal("\"\\u12g4\"", .unexpectedByte, 5),
        Refusal("\"a\tb\"", .unexpectedByte, 2),
        Refusal("\"a\nb\"", .unexpectedByte, 2),
        Refusal("\"a\u{0}b\"", .nulCharacter, 2),
        Refusal("\"ab\\u0000\"", .nulCharacter, 3),
        Refusal("\"\\ud800\"", .loneSurrogate, 1),
        Refusal("\"\\ud800\\u0041\"", .loneSurrogate, 1),
        Refusal("\"\\ud800\\ud800\"", .loneSurrogate, 1),
        Refusal("\"x\\udc00\"", .loneSurrogate, 2),
        Refusal([0x22, 0x61, 0xFF, 0x22], .invalidUTF8, 2),
        Refusal([0x22, 0xC0, 0x80, 0x22], .invalidUTF8, 1),
        Refusal([0x22, 0xE0, 0x80, 0x80, 0x22], .invalidUTF8, 1),
        Refusal([0x22, 0xED, 0xA0, 0x80, 0x22], .invalidUTF8, 1),
        Refusal([0x22, 0xF4, 0x90, 0x80, 0x80, 0x22], .invalidUTF8, 1),
        Refusal([0x22, 0xF0, 0x9F, 0x98], .invalidUTF8, 1),
        Refusal([0x22, 0xE2, 0x82, 0x22, 0x22], .invalidUTF8, 1),
        Refusal([0x22, 0x80, 0x22], .invalidUTF8, 1),
        Refusal([0xFE, 0xFF, 0x00, 0x31], .unexpectedByte, 0),
        Refusal("{\"a\":1,\"b\":2,\"a\":3}", .duplicateKey, 13),
        Refusal("{\"a\":1,\"\\u0061\":3}", .duplicateKey, 7),
        Refusal(String(repeating: "[", count: 33), .tooDeep, 32),
        Refusal(String(repeating: "[", count: 20_000), .tooDeep, 32),
        Refusal(String(repeating: "{\"a\":", count: 513), .tooDeep, 160),
        Refusal(String(repeating: " ", count: 1 << 20) + "1", .tooLarge, 1 << 20),
    ]

    @Test("every mistake has its code and offset", arguments: refusals)
    func refusal(_ refusal: Refusal) {
        let error = #expect(throws: JSONError.self, "\(refusal.name)") { try JSONParser.parse(refusal.bytes) }
        #expect(error?.code == refusal.code, "\(refusal.name)")
        #expect(error?.offset == refusal.offset, "\(refusal.name)")
    }

    @Test("the thirteenth name and later ones are still compared")
    func duplicateAmongMany() {
        let names = (0..<40).map { "\"k\($0)\":0" }.joined(separator: ",")
        #expect(throws: Never.self) { try JSONParser.parse(Array("{\(names)}".utf8)) }
        for repeated in [0, 11, 12, 13, 39] {
            let error = #expect(throws: JSONError.self) {
                try JSONParser.parse(Array("{\(names),\"k\(repeated)\":1}".utf8))
            }
            #expect(error?.code == .duplicateKey)
        }
    }

    @Test("names that only look alike are two names")
    func canonicalEquivalence() throws {
        let value = try JSONParser.parse(Array("{\"caf\u{E9}\":1,\"cafe\u{301}\":2}".utf8))
        #expect(value.members?.count == 2)
        #expect(value["cafe\u{301}"] == .number(JSONNumber(2)))
        #expect(JSONValue.string("caf\u{E9}") != .string("cafe\u{301}"))
    }

    @Test("all escapes are decoded")
    func escapes() throws {
        let value = try JSONParser.parse(Array(#""\"\\\/\b\f\n\r\t\u00e9\ud83d\uDE00é😀""#.utf8))
        #expect(value == .string("\"\\/\u{8}\u{c}\n\r\té😀é😀"))
    }

    @Test("numbers keep their text", arguments: ["0", "-0", "1.10", "1E+2", "1e2", "123456789012345678901", "1e-300"])
    func numbers(text: String) throws {
        guard case .number(let number) = try JSONParser.parse(Array(text.utf8)) else {
            Issue.record("no number")
            return
        }
        #expect(number.text == text)
        #expect(number.double == Double(text))
        #expect(number.int64 == Int64(text))
    }

    @Test(
        "an integer may be written with a fraction and an exponent",
        arguments: [
            ("7", 7), ("-0", 0), ("1.0", 1), ("-0.0", 0), ("0e999", 0), ("1e2", 100), ("1.25E+2", 125),
            ("-1200e-2", -12), ("9.223372036854775807e18", Int64.max), ("0.000001e6", 1), ("1.5", nil), ("1e-1", nil),
            ("1.25e1", nil),
        ]
    )
    func integers(text: String, value: Int64?) throws {
        let number = try #require(JSONNumber(text: text))
        #expect(number.integer == value && number.isInteger == (value != nil))
    }

    @Test("an integer that does not fit is one", arguments: ["9223372036854775808", "1e300", "-9.3e18"])
    func greatIntegers(text: String) throws {
        let number = try #require(JSONNumber(text: text))
        #expect(number.integer == nil && number.isInteger)
    }

    @Test("thirty-two levels pass")
    func depth() {
        let text = String(repeating: "[", count: 32) + String(repeating: "]", count: 32)
        #expect(throws: Never.self) { try JSONParser.parse(Array(text.utf8)) }
    }

    @Test("line and column count from one")
    func position() throws {
        let bytes = Array("{\n  \"a\": 1,\n  x\n}".utf8)
        let error = try #require(throws: JSONError.self) { try JSONParser.parse(bytes) }
        #expect(error.position(in: bytes) == (3, 3))
    }

    @Test("an object of 100,000 names is read in less than the square of its time", .timeLimit(.minutes(4)))
    func manyNames() throws {
        let text = "{" + (0..<100_000).map { "\"\($0)\":0" }.joined(separator: ",") + "}"
        let value = try JSONParser.parse(Array(text.utf8), limits: JSONLimits(bytes: 4 << 20, depth: 4))
        #expect(value.members?.count == 100_000)
    }
}
