/// How much a template may hold, each with its reason.
public enum TemplateLimits {
    /// A template's name, as in Azure Notification Hubs.
    public static let nameBytes = 200

    /// A body: as long as all templates of an installation together may be.
    public static let bodyBytes = InstallationLimits.templatesBytes

    /// Header fields: more than any gateway knows.
    public static let headers = 32

    /// A header's name: longer than any that a gateway knows.
    public static let headerNameBytes = 64

    /// A header's value, or an expiry, with its expressions.
    public static let headerBytes = 4_096
}
