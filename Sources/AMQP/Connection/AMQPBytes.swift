import CRabbit

extension amqp_bytes_t {
    /// The octets in the library's memory, valid until its buffers are released.
    var buffer: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: bytes, count: bytes == nil ? 0 : len)
    }

    /// A copy of the octets.
    var octets: [UInt8] {
        Array(buffer)
    }

    /// A copy as text; invalid UTF-8 is repaired.
    var text: String {
        String(decoding: buffer, as: UTF8.self)
    }
}

extension String {
    /// Calls the body with the UTF-8 form, valid only during the call.
    func withAMQPBytes<Value>(_ body: (amqp_bytes_t) -> Value) -> Value {
        var copy = self
        return copy.withUTF8 { utf8 in
            body(amqp_bytes_t(len: utf8.count, bytes: UnsafeMutableRawPointer(mutating: utf8.baseAddress)))
        }
    }
}
