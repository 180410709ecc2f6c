extension JSONWriter {
    /// Appends what stands between the quotes of the JSON string `text`.
    public static func escaped(_ text: String, into bytes: inout [UInt8]) {
        var text = text
        text.withUTF8 { appendEscaped($0, to: &bytes) }
    }

    /// The compact JSON of `value`.
    public static func encode(_ value: JSONValue) -> [UInt8] {
        var writer = JSONWriter()
        writer.value(value)
        return writer.bytes
    }

    /// Appends a string with its quotes and what stands around it: the comma before it, the colon after a name.
    ///
    /// Most strings need no escape: they are appended in one step, which is most of the time of rendering a push.
    mutating func appendString(_ text: UnsafeBufferPointer<UInt8>, isName: Bool) {
        let needsComma = followsValue
        let isPlain = Self.isPlain(text)
        bytes.append(addingCapacity: text.count + 4) { span in
            if needsComma { span.append(UInt8(ascii: ",")) }
            span.append(UInt8(ascii: "\""))
            guard isPlain else { return }
            Self.append(text, to: &span)
            span.append(UInt8(ascii: "\""))
            if isName { span.append(UInt8(ascii: ":")) }
        }
        guard !isPlain else { return }
        Self.appendEscaped(text, to: &bytes)
        bytes.append(UInt8(ascii: "\""))
        if isName { bytes.append(UInt8(ascii: ":")) }
    }

    private static func append(_ text: UnsafeBufferPointer<UInt8>, to span: inout OutputSpan<UInt8>) {
        span.withUnsafeMutableBufferPointer { buffer, count in
            _ = UnsafeMutableBufferPointer(rebasing: buffer[count...]).initialize(from: text)
            count += text.count
        }
    }

    /// Whether no byte must be escaped; without an early end, so that the compiler looks at many bytes at once.
    private static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        var found: UInt8 = 0
        for byte in text {
            found |= mustEscape(byte) ? 1 : 0
        }
        return found == 0
    }

    static func appendEscaped(_ text: UnsafeBufferPointer<UInt8>, to bytes: inout [UInt8]) {
        var start = 0
        for index in text.indices where mustEscape(text[index]) {
            bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start..<index]))
            appendEscape(of: text[index], to: &bytes)
            start = index + 1
        }
        bytes.append(contentsOf: UnsafeBufferPointer(rebasing: text[start...]))
    }

    private static func mustEscape(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "\\")
    }

    private static func appendEscape(of byte: UInt8, to bytes: inout [UInt8]) {
        bytes.append(UInt8(ascii: "\\"))
        switch byte {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"): bytes.append(byte)
        case 0x08: bytes.append(UInt8(ascii: "b"))
        case 0x09: bytes.append(UInt8(ascii: "t"))
        case 0x0A: bytes.append(UInt8(ascii: "n"))
        case 0x0C: bytes.append(UInt8(ascii: "f"))
        case 0x0D: bytes.append(UInt8(ascii: "r"))
        default:
            bytes.append(contentsOf: "u00".utf8)
            bytes.append(UInt8(ascii: "0") + byte >> 4)
            bytes.append(contentsOf: String(byte & 15, radix: 16).utf8)
        }
    }
}
