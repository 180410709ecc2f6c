/// How much JSON the parser takes before it refuses.
public struct JSONLimits: Hashable, Sendable {
    /// The longest document in bytes.
    public let bytes: Int

    /// How many arrays and objects may be open at once.
    public let depth: Int

    /// The longest number in bytes: room for every digit of the longest finite double, with a sign and fraction.
    static let numberBytes = 512

    /// The parser calls itself once a level, so no caller may ask for more than a small stack can hold.
    static let greatestDepth = 512

    /// Takes both limits; a depth above 512 counts as 512.
    public init(bytes: Int, depth: Int) {
        self.bytes = bytes
        self.depth = min(depth, Self.greatestDepth)
    }

    /// What a message may be: 1 MiB, 32 levels.
    public static let standard = JSONLimits(bytes: 1 << 20, depth: 32)
}
