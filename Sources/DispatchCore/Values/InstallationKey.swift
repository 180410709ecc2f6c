/// The hub's own number of one installation row; apps know the installation by its text id instead.
public struct InstallationKey: RawRepresentable, Hashable, Sendable {
    /// The stored value.
    public let rawValue: Int64

    /// Wraps a stored value.
    public init(rawValue: Int64) {
        self.rawValue = rawValue
    }
}
