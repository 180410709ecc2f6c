/// What the app's content extension had the system do after an answer; the raw value is the spelling in JSON.
///
/// Source: Apple, “UNNotificationContentExtensionResponseOption”.
public enum ResponseOption: String, CaseIterable, Hashable, Sendable {
    /// The notification stayed, with whatever the extension made of it.
    case doNotDismiss

    /// It went.
    case dismiss

    /// It went, and the app was given the answer.
    case dismissAndForwardAction
}
