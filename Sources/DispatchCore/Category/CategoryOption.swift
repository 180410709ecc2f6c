/// How the notifications of a category are treated; the raw value is the spelling in JSON.
///
/// Source: Apple, “UNNotificationCategoryOptions”.
public enum CategoryOption: String, CaseIterable, Hashable, Sendable {
    /// The app is told when the user dismisses the notification.
    case customDismissAction

    /// It is shown in CarPlay too.
    case allowInCarPlay

    /// Its title is shown even where previews are hidden.
    case hiddenPreviewsShowTitle

    /// Its subtitle is shown even where previews are hidden.
    case hiddenPreviewsShowSubtitle

    /// Siri may read it aloud.
    case allowAnnouncement
}
