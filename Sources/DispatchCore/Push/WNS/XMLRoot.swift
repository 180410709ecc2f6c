/// The outermost element of an XML text.
enum XMLRoot {
    /// Its name, when the text begins like XML: white space, declarations and comments aside, with an element.
    static func name(in text: String) -> String? {
        var text = text
        return text.withUTF8 { name(in: $0[...]) }
    }

    private static func name(in bytes: Slice<UnsafeBufferPointer<UInt8>>) -> String? {
        var rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
        while true {
            rest = rest.drop { isSpace($0) }
            if rest.starts(with: "<?".utf8) {
                guard let after = skip("?>", in: rest) else { return nil }
                rest = after
            } else if rest.starts(with: "<!--".utf8) {
                guard let after = skip("-->", in: rest.dropFirst(4)) else { return nil }
                rest = after
            } else {
                break
            }
        }
        guard rest.first == UInt8(ascii: "<") else { return nil }
        let name = rest.dropFirst().prefix { !isSpace($0) && $0 != UInt8(ascii: ">") && $0 != UInt8(ascii: "/") }
        return name.isEmpty ? nil : String(decoding: name, as: UTF8.self)
    }

    /// What follows the first `end`.
    private static func skip(
        _ end: StaticString,
        in bytes: Slice<UnsafeBufferPointer<UInt8>>
    ) -> Slice<UnsafeBufferPointer<UInt8>>? {
        let end = UnsafeBufferPointer(start: end.utf8Start, count: end.utf8CodeUnitCount)
        return bytes.indices.first { bytes[$0...].starts(with: end) }.map { bytes[$0...].dropFirst(end.count) }
    }

    private static func isSpace(_ byte: UInt8) -> Bool {
        [0x20, 0x09, 0x0A, 0x0D].contains(byte)
    }
}
