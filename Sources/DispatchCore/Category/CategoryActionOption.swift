/// How an action behaves when it is chosen; the raw value is the spelling in JSON.
///
/// Source: Apple, “UNNotificationActionOptions”.
public enum CategoryActionOption: String, CaseIterable, Hashable, Sendable {
    /// The app comes to the front.
    case foreground

    /// The button is drawn as a warning.
    case destructive

    /// The device must be unlocked first.
    case authenticationRequired
}
