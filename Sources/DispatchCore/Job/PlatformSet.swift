/// Some of the platforms; a job's empty set means all of them.
public struct PlatformSet: OptionSet, Hashable, Sendable {
    /// One bit a platform, at the position of its raw value.
    public let rawValue: UInt16

    /// Takes the bits.
    public init(rawValue: UInt16) {
        self.rawValue = rawValue
    }

    /// Collects platforms.
    public init(_ platforms: some Sequence<Platform>) {
        rawValue = platforms.reduce(0) { $0 | 1 << UInt16($1.rawValue) }
    }

    /// Whether a job for these platforms is for `platform`.
    public func includes(_ platform: Platform) -> Bool {
        isEmpty || contains(PlatformSet(CollectionOfOne(platform)))
    }

    /// The platforms of a job for these, in the order of their raw values.
    public var platforms: [Platform] { Platform.allCases.filter(includes) }
}
