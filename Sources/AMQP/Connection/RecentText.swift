import CRabbit
import Glibc

/// Makes strings of octets that mostly repeat, without a new allocation for a repetition.
///
/// Exchange, routing key, content type and login are the same in nearly every message of a queue.
struct RecentText {
    private var last = ""

    mutating func text(_ bytes: amqp_bytes_t) -> String {
        let buffer = bytes.buffer
        if buffer.count != last.utf8.count || !last.isEqual(to: buffer) { last = bytes.text }
        return last
    }
}

extension String {
    fileprivate mutating func isEqual(to buffer: UnsafeRawBufferPointer) -> Bool {
        guard let start = buffer.baseAddress, !buffer.isEmpty else { return true }
        return withUTF8 { utf8 in utf8.baseAddress.map { memcmp($0, start, buffer.count) == 0 } ?? false }
    }
}
