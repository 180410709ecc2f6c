/// Why a notification has no payload on a platform.
public struct RenderError: Error, Hashable, Sendable {
    /// The kind of failure, as it is spelled in tables and dead letters.
    public enum Code: String, CaseIterable, Hashable, Sendable {
        /// The payload is over the gateway's limit.
        case tooLarge = "too-large"

        /// A data member has a name that the gateway keeps for itself.
        case reservedKey = "reserved-key"

        /// The native payload is not what the gateway takes.
        case malformedNative = "malformed-native"

        /// The job brings native payloads, but none for this platform.
        case missingNative = "missing-native"

        /// There is nothing to show and no data to hand over.
        case emptyContent = "empty-content"

        /// The platform has no form for this kind of content, such as a Live Activity outside of Apple's.
        case notExpressible = "not-expressible"

        /// The platform's vendor refuses this combination of members.
        case vendorRule = "vendor-rule"

        /// The attachment is the notification's own content, and the hub knows no address for it.
        case noContentAddress = "no-content-address"

        /// The device has no template of that name, or none at all.
        case noTemplate = "no-template"

        /// The device's template cannot be read, or makes something the platform does not take.
        case malformedTemplate = "malformed-template"

        /// The device's template lets its push end at a moment that is over.
        case expired
    }

    /// The kind of failure.
    public let code: Code

    /// The platform the payload was meant for.
    public let platform: Platform

    /// The job's member at fault, such as `content.liveActivity`; nil when it is none alone.
    public let member: String?

    /// One sentence that names the culprit and the platform's rule; it holds no content of the push.
    public let reason: String

    /// Describes one failure.
    public init(code: Code, platform: Platform, member: String? = nil, reason: String) {
        self.code = code
        self.platform = platform
        self.member = member
        self.reason = reason
    }

    /// The payload has `bytes` where the gateway takes `limit`.
    public static func tooLarge(_ bytes: Int, limit: Int, platform: Platform) -> RenderError {
        RenderError(
            code: .tooLarge,
            platform: platform,
            reason: "the \(platform.name) payload has \(bytes) bytes, the limit is \(limit)"
        )
    }
}

extension RenderError: CustomStringConvertible {
    /// Code and reason in one line.
    public var description: String { "\(code.rawValue): \(reason)" }
}
