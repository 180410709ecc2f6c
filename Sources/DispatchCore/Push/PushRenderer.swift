/// Renders a job's content for a platform: the one entrance for neutral and native content.
public enum PushRenderer {
    /// Prepares what all devices of `platform` share.
    ///
    /// `unread` replaces the badge `unread`, and is nil when it is not known; `now` is the moment of dispatch.
    public static func prepare(
        _ content: JobContent,
        for platform: Platform,
        unread: Int? = nil,
        options: PushOptions,
        now: Timestamp
    ) throws(RenderError) -> PreparedPush {
        switch (content, platform) {
        case (.neutral(let content), .apns):
            return try APNsRenderer.prepare(content, unread: unread, options: options)
        case (.neutral(let content), .fcmV1):
            return try FCMRenderer.prepare(content, unread: unread, options: options, now: now)
        case (.native(let payloads), .apns):
            return try APNsRenderer.prepareNative(try payload(for: platform, in: payloads), options: options)
        case (.native(let payloads), .fcmV1):
            return try FCMRenderer.prepareNative(try payload(for: platform, in: payloads), options: options)
        case (.template, _):
            throw RenderError(code: .unsupportedContent, platform: platform, reason: "templates are not rendered yet")
        case (_, .browser), (_, .wns), (_, .adm), (_, .hms):
            let reason = "\(platform.name) is not rendered yet"
            throw RenderError(code: .unsupportedPlatform, platform: platform, reason: reason)
        }
    }

    private static func payload(
        for platform: Platform,
        in payloads: [Platform: JSONValue]
    ) throws(RenderError) -> JSONValue {
        guard let payload = payloads[platform] else {
            let reason = "the job has no native payload for \(platform.name)"
            throw RenderError(code: .missingNative, platform: platform, reason: reason)
        }
        return payload
    }
}
