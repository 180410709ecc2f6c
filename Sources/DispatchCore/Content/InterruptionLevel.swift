/// How far a notification may interrupt the user; the raw value is Apple's spelling and the job's.
public enum InterruptionLevel: String, CaseIterable, Hashable, Sendable {
    /// In the list only: no light, no sound.
    case passive

    /// As usual.
    case active

    /// At once, through the summary and most Focus modes.
    case timeSensitive = "time-sensitive"

    /// At once, in spite of the mute switch.
    case critical

    init(decoding value: JSONValue) throws(JobError) {
        self = try value.choice([
            "passive": .passive, "active": .active, "time-sensitive": .timeSensitive, "critical": .critical,
        ])
    }
}
