/// How much a category may hold, each with its reason.
public enum CategoryLimits {
    /// Actions of one category: Apple's banners show at most four and other platforms fewer, so ten leave room for long
    /// lists and none for mistakes.
    public static let actions = 10

    /// Intents that a category is tied to; SiriKit has a few dozen, a notification serves one or two.
    public static let intents = 16

    /// Ids, titles, icons and the texts of the system's own places: a button or a line, never a paragraph.
    public static let nameBytes = JobLimits.nameBytes

    /// Categories of one hub: an app registers all of them at every launch and gets them in one answer; a hundred are more
    /// than any app has kinds of notifications.
    public static let perHub = 100

    /// The document of one category: far above the longest that makes sense, so that a whole hub's fit into memory.
    public static let bodyBytes = 64 * 1024

    /// Rules of one category: a few for each of its actions.
    public static let rules = 32

    /// Which answers a rule may tell apart, and how many of one device to one notification are looked at: nobody presses a
    /// thousand times.
    public static let answers: ClosedRange<Int64> = 1...1_000

    /// What a rule changes, as JSON: together with the rest it must fit into a payload, of which the largest has 6 KiB.
    public static let updateBytes = 8 * 1024

    /// The height of a content extension's view as a share of its width: ten times taller than wide fills any screen.
    public static let greatestSizeRatio = 10.0
}
