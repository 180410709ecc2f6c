public import DispatchCore

/// The modes of all platforms that have one.
public struct SimulatedModes: Hashable, Sendable {
    private var modes: [Platform: SimulatedMode] = [:]

    /// No trouble anywhere.
    public init() {}

    /// The mode of a platform; setting nil ends it.
    public subscript(platform: Platform) -> SimulatedMode? {
        get { modes[platform] }
        set { modes[platform] = newValue }
    }

    /// Whether any answer takes its time because of a mode.
    var haveLatency: Bool { modes.values.contains { $0.latency != nil } }
}
