/// How much an installation may hold, each with its reason.
public enum InstallationLimits {
    /// Tags of one installation, as Azure Notification Hubs documents it.
    public static let tags = 60

    /// All templates as compact JSON: several times the largest payload, small enough to be read with every send.
    public static let templatesBytes = 32 * 1024

    /// A locale or the name of a time zone; the longest of either that is registered is shorter.
    public static let nameBytes = 64

    /// The keys of a browser's subscription: the longer one is 65 bytes, 88 characters of base64url.
    public static let keyBytes = 128
}
