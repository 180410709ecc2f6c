import Testing

/// The two ways into the hub.
enum Door: String, CaseIterable, Sendable, CustomTestStringConvertible {
    case http
    case amqp

    var testDescription: String { "over \(rawValue)" }
}
