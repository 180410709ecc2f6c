import AMQP

/// What of a refused message can be put into `push.dead`: its publisher may have sent what nobody can send again.
///
/// A property that is no UTF-8 grows when it is repaired, and may then be longer than the protocol allows. What is left
/// out or cut would change the letter's fingerprint, so that travels along then.
struct DeadLetterCarrier {
    static let fingerprintHeader = "x-dispatcher-fingerprint"

    /// The longest short string of the protocol.
    private static let longestText = 255

    /// The table keeps less of a body; the queue keeps all that its broker takes by default.
    static let largestBody = 16 * 1024 * 1024

    let properties: AMQPProperties
    let body: [UInt8]
    let fingerprint: [UInt8]?

    init(_ rejection: Rejection) {
        let message = rejection.message
        properties = Self.sendable(message.properties)
        let isWhole = properties.messageID == message.properties.messageID && message.body.count <= Self.largestBody
        body = message.body.count <= Self.largestBody ? message.body : Array(message.body.prefix(Self.largestBody))
        fingerprint = isWhole && !rejection.isCut ? nil : rejection.fingerprint
    }

    /// The properties without those that are too long, and without what would steer the broker.
    static func sendable(_ properties: AMQPProperties) -> AMQPProperties {
        var properties = properties
        let texts: [WritableKeyPath<AMQPProperties, String?>] = [
            \.contentType, \.contentEncoding, \.messageID, \.correlationID, \.appID, \.type, \.replyTo,
        ]
        for text in texts where properties[keyPath: text]?.utf8.count ?? 0 > longestText {
            properties[keyPath: text] = nil
        }
        properties.userID = nil
        properties.expiration = nil
        return properties
    }
}
