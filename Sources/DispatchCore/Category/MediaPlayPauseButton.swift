/// The play and pause button over a content extension; the raw value is the spelling in JSON.
///
/// Source: Apple, “UNNotificationContentExtensionMediaPlayPauseButtonType”.
public enum MediaPlayPauseButton: String, CaseIterable, Hashable, Sendable {
    /// No button.
    case absent = "none"

    /// A button that is always there.
    case permanent = "default"

    /// A button that fades while the media plays.
    case fading = "overlay"
}
