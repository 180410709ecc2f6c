/// What the broker said about itself at login.
public struct AMQPServerInfo: Sendable, Hashable {
    /// All server properties.
    public let properties: [String: AMQPValue]

    /// The product, such as `RabbitMQ`.
    public var product: String {
        properties["product"]?.stringValue ?? "unknown"
    }

    /// The version, such as `3.10.8`.
    public var version: String {
        properties["version"]?.stringValue ?? "unknown"
    }

    /// The name of the cluster, nil when the broker does not tell.
    public var clusterName: String? {
        properties["cluster_name"]?.stringValue
    }
}
