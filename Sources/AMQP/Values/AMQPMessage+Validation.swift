extension AMQPMessage {
    /// The largest body: the default `max_message_size` of RabbitMQ 4.
    static let maximumBodySize = 16 * 1024 * 1024

    /// The largest header table: it must fit into one frame (131,072 octets) together with the other properties.
    static let maximumHeaderSize = 100_000

    /// The longest short string of the protocol, in octets.
    static let maximumShortString = 255

    /// Why the library must not be given this message, nil when it may.
    ///
    /// A publish that fails half way leaves its method frame on the wire and poisons the connection, so everything
    /// that can be refused is refused first.
    var refusal: String? {
        guard body.count <= Self.maximumBodySize else { return "body larger than \(Self.maximumBodySize) octets" }
        for (name, text) in shortStrings where (text?.utf8.count ?? 0) > Self.maximumShortString {
            return "\(name) longer than \(Self.maximumShortString) octets"
        }
        guard !properties.headers.isEmpty else { return nil }
        guard let size = AMQPValue.encodedSize(ofTable: properties.headers, depth: 1) else {
            return "headers nested too deeply or with a name longer than 128 octets"
        }
        return size <= Self.maximumHeaderSize ? nil : "headers larger than \(Self.maximumHeaderSize) octets"
    }

    private var shortStrings: [(String, String?)] {
        [
            ("exchange", exchange),
            ("routing key", routingKey),
            ("content type", properties.contentType),
            ("content encoding", properties.contentEncoding),
            ("message id", properties.messageID),
            ("correlation id", properties.correlationID),
            ("user id", properties.userID),
            ("app id", properties.appID),
            ("type", properties.type),
            ("reply-to", properties.replyTo),
            ("expiration", properties.expiration),
        ]
    }
}

extension AMQPValue {
    /// Octets of a table on the wire, nil when it is nested too deeply or a name does not fit.
    static func encodedSize(ofTable table: [String: AMQPValue], depth: Int) -> Int? {
        guard depth <= maximumDepth else { return nil }
        var size = 4
        for (name, value) in table {
            guard name.utf8.count <= 128, let valueSize = value.encodedSize(depth: depth) else { return nil }
            size += 1 + name.utf8.count + valueSize
        }
        return size
    }

    private func encodedSize(depth: Int) -> Int? {
        switch self {
        case .string(let text): 5 + text.utf8.count
        case .bytes(let bytes): 5 + bytes.count
        case .int, .double, .timestamp: 9
        case .bool: 2
        case .null: 1
        case .table(let table): Self.encodedSize(ofTable: table, depth: depth + 1).map { $0 + 1 }
        case .array(let values): Self.encodedSize(ofArray: values, depth: depth + 1)
        }
    }

    private static func encodedSize(ofArray values: [AMQPValue], depth: Int) -> Int? {
        guard depth <= maximumDepth else { return nil }
        var size = 5
        for value in values {
            guard let valueSize = value.encodedSize(depth: depth) else { return nil }
            size += valueSize
        }
        return size
    }
}
