/// How much a job may hold, each with its reason.
public enum JobLimits {
    /// What the parser takes: 1 MiB, far above any payload a gateway accepts and far below the broker's 16 MiB; 32 levels.
    public static let json = JSONLimits.standard

    /// Users, installations or channels of one job: one batch of work; larger audiences are tags.
    public static let recipients = 1_000

    /// A hub's name, as the table demands.
    public static let hubBytes = 64

    /// The name of a class of notifications, as the table demands.
    public static let classBytes = 64

    /// Title, subtitle and body: the largest payload of any gateway, so what is longer could never be sent.
    public static let textBytes = 4_096

    /// Names of sounds, categories and threads: longer than any that a platform documents.
    public static let nameBytes = 256

    /// A collapse key: APNs and Web Push take less (64 and 32 bytes), so their gateways shorten it by hashing.
    public static let collapseKeyBytes = 255

    /// Time to live in seconds: 28 days, the longest that FCM keeps a message.
    public static let timeToLive: ClosedRange<Int64> = 0...2_419_200

    /// How long the hub itself may take over a job whose time to live is 0: a wave and a broken connection's first retry,
    /// far below what a person would call late.
    public static let nowOrNever = Duration.seconds(10)

    /// A badge: what a 32-bit counter on the device can show.
    public static let badge: ClosedRange<Int64> = 0...2_147_483_647

    /// A gateway's address of a device; the table demands the same.
    public static let channelBytes = 4_096

    /// Arguments of a text that the app brings: more than a sentence has places for.
    public static let arguments = 16

    /// One such argument.
    public static let argumentBytes = 1_024

    /// Languages of one job: its body must stay small, and more are a template's business.
    public static let localizations = 64

    /// A link or the address of a picture: what browsers and proxies carry without cutting.
    public static let urlBytes = 2_048

    /// Steps of a vibration pattern, as browsers cut it.
    public static let vibrations = 64

    /// One step of a vibration pattern in milliseconds, as browsers cut it.
    public static let vibrationMilliseconds: ClosedRange<Int64> = 0...10_000

    /// A rich content within a job, decoded: 256 KiB, since every batch reads the job again; what is larger is uploaded.
    public static let contentBytes = 256 * 1_024

    /// The name of a rich content's file: what file systems take.
    public static let fileNameBytes = 255

    /// Members of a template's properties: more than any template can name.
    public static let properties = 256
}
