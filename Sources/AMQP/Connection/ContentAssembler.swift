import CRabbit

/// Collects the header and body frames that follow a deliver or return method.
///
/// `amqp_read_message` would do this too, but waits for the body without a limit once the method is there.
struct ContentAssembler {
    /// A complete content.
    struct Content {
        var properties: AMQPProperties
        var body: [UInt8]
    }

    private static let maximumBodySize: UInt64 = 128 * 1024 * 1024

    private var decoder = PropertiesDecoder()
    private var properties = AMQPProperties()
    private var missing = 0
    private var body: [UInt8] = []

    /// Takes a content header; returns the content when it has no body.
    mutating func header(_ frame: amqp_frame_t) throws(AMQPError) -> Content? {
        let header = frame.payload.properties
        guard header.body_size <= Self.maximumBodySize, let decoded = header.decoded else {
            throw AMQPError(.protocolViolation, operation: "read", reason: "unusable content header")
        }
        properties = decoder.properties(decoded.load(as: amqp_basic_properties_t.self))
        missing = Int(header.body_size)
        body = []
        return missing == 0 ? Content(properties: properties, body: []) : nil
    }

    /// Takes a piece of the body; returns the content when it was the last.
    mutating func fragment(_ frame: amqp_frame_t) throws(AMQPError) -> Content? {
        let piece = frame.payload.body_fragment.buffer
        guard piece.count <= missing else {
            throw AMQPError(.protocolViolation, operation: "read", reason: "body longer than announced")
        }
        if body.isEmpty, piece.count < missing { body.reserveCapacity(missing) }
        if body.isEmpty, piece.count == missing { body = Array(piece) } else { body.append(contentsOf: piece) }
        missing -= piece.count
        guard missing == 0 else { return nil }
        defer { body = [] }
        return Content(properties: properties, body: body)
    }
}
