/// How much a category may hold, each with its reason.
public enum CategoryLimits {
    /// Actions of one category: Apple's banners show at most four and other platforms fewer, so ten leave room for long
    /// lists and none for mistakes.
    public static let actions = 10

    /// Intents that a category is tied to; SiriKit has a few dozen, a notification serves one or two.
    public static let intents = 16

    /// Ids, titles, icons and the texts of the system's own places: a button or a line, never a paragraph.
    public static let nameBytes = JobLimits.nameBytes

    /// The height of a content extension's view as a share of its width: ten times taller than wide fills any screen.
    public static let greatestSizeRatio = 10.0
}
