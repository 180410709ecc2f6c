/// What is played: the platform's own sound or a file of the app.
public struct Sound: Hashable, Sendable {
    /// The file's name, or `default`.
    public let name: String

    /// Takes a name.
    public init(name: String) {
        self.name = name
    }

    /// Whether it is the platform's own sound.
    public var isDefault: Bool { name == "default" }
}
