/// One message that asks for a notification, checked in every member.
public struct SendJob: Hashable, Sendable {
    /// The sender's own id; the same one again is the same notification.
    public let id: UUIDValue

    /// The name of the hub whose installations are meant.
    public let hub: String

    /// Whom it is for.
    public let audience: Audience

    /// On which platforms; empty means all.
    public let platforms: PlatformSet

    /// What is sent.
    public let content: JobContent

    /// When and how.
    public let options: SendOptions

    /// The hub of jobs and installations that name none.
    public static let defaultHub = "default"

    /// Takes checked values.
    public init(
        id: UUIDValue,
        hub: String = SendJob.defaultHub,
        audience: Audience,
        platforms: PlatformSet = [],
        content: JobContent,
        options: SendOptions = SendOptions()
    ) {
        self.id = id
        self.hub = hub
        self.audience = audience
        self.platforms = platforms
        self.content = content
        self.options = options
    }
}
