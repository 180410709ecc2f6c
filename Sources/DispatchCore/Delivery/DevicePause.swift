/// How long a gateway wants one device to be left alone, which holds for every push to it.
public enum DevicePause {
    /// A longer wish is believed for the push that was answered, and no longer than this for the others.
    public static let longest = Duration.seconds(3600)

    /// Why a push to a paused device waits.
    public static let reason = "DevicePaused"
}

extension DeliveryResult {
    /// Until when no push to the device is tried, as its gateway's answer has it; nil where it asked for nothing.
    public func devicePause(from now: Timestamp) -> Timestamp? {
        guard scope == .device, let pause, pause > .zero else { return nil }
        return now + min(pause, DevicePause.longest)
    }
}
