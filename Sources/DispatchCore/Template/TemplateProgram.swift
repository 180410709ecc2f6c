/// A template's body, read once: bytes that are always the same, and what is put between them.
struct TemplateProgram: Hashable, Sendable {
    /// A piece of the body.
    enum Segment: Hashable, Sendable {
        /// Bytes that stand as they are.
        case literal([UInt8])

        /// A property's text.
        case value(TemplateReference, TemplateEscaping)

        /// A property's value as JSON.
        case json(TemplateReference, keepsKinds: Bool)

        /// The place of the push channel.
        case channel
    }

    /// A rendering stops above this, so that no template can make a push of gigabytes out of a job of one megabyte.
    static let sizeLimit = 65_536

    let segments: [Segment]

    /// Whether the push channel has a place in the body.
    let embedsChannel: Bool

    /// Room for the constant bytes and a little text for each property.
    private let capacity: Int

    init(segments: [Segment]) {
        self.segments = segments
        embedsChannel = segments.contains(.channel)
        capacity = segments.reduce(64) { sum, segment in
            guard case .literal(let bytes) = segment else { return sum + 32 }
            return sum + bytes.count
        }
    }

    /// The body up to the push channel and after it; nil when it is longer than any platform takes.
    func render(_ properties: TemplateProperties) -> (head: [UInt8], tail: [UInt8])? {
        var head: [UInt8] = []
        var bytes: [UInt8] = []
        bytes.reserveCapacity(capacity)
        for segment in segments {
            switch segment {
            case .literal(let literal): bytes.append(contentsOf: literal)
            case .value(let reference, let escaping):
                properties.write(reference, escaping: escaping, into: &bytes)
                guard bytes.count <= Self.sizeLimit else { return nil }
            case .json(let reference, let keepsKinds):
                properties.writeJSON(reference, keepsKinds: keepsKinds, into: &bytes)
                guard bytes.count <= Self.sizeLimit else { return nil }
            case .channel:
                head = bytes
                bytes = []
                bytes.reserveCapacity(capacity)
            }
        }
        return embedsChannel ? (head, bytes) : (bytes, [])
    }

    /// Whether the body is the same for all notifications.
    var isConstant: Bool {
        segments.allSatisfy { segment in
            switch segment {
            case .literal, .channel: true
            case .value, .json: false
            }
        }
    }
}
