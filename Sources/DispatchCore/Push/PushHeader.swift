/// One header field of a push.
public struct PushHeader: Hashable, Sendable {
    /// The field's name as the platform writes it.
    public let name: String

    /// Its value.
    public let value: String

    /// Pairs a name with a value.
    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
