import Foundation
import Testing

@testable import DispatchCore

@Suite struct Base64Tests {
    @Test("whatever is encoded is decoded again", arguments: [1, 2, 3])
    func roundTrip(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        for count in 0...200 {
            let bytes = (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
            #expect(Base64.decode(Data(bytes).base64EncodedString()) == bytes)
        }
    }

    @Test("what one character makes wrong is no base64")
    func mistakes() {
        let text = Array("QUJDREVGR0g=".utf8)
        for index in text.indices {
            for byte in ["-", "_", " ", "\n", "é", "\u{0}", "="] {
                var wrong = text
                wrong.replaceSubrange(index...index, with: Array(byte.utf8))
                let decoded = Base64.decode(String(decoding: wrong, as: UTF8.self))
                let isLastPadding = byte == "=" && index >= text.count - 2
                #expect((decoded != nil) == isLastPadding, "\(index) \(byte)")
            }
        }
        for text in ["A", "AA", "AAA", "AAAAA", "====", "A===", "=AAA"] {
            #expect(Base64.decode(text) == nil, "\(text)")
        }
    }
}
