/// When a browser's push may wake the device; the raw value is the header `Urgency` (RFC 8030 section 5.3).
public enum WebPushUrgency: String, CaseIterable, Hashable, Sendable {
    /// On power and on Wi-Fi only.
    case veryLow = "very-low"

    /// On power or on Wi-Fi.
    case low

    /// On neither too.
    case normal

    /// Even at low battery.
    case high
}
