/// Renders a job's content for a platform: the one entrance for neutral and native content.
public enum PushRenderer {
    /// Prepares what all devices of `platform` with the same language and number of unread notifications share.
    ///
    /// Templates are rendered by `InstallationTemplate`, since each device has its own.
    public static func prepare(
        _ content: JobContent,
        for platform: Platform,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        switch content {
        case .neutral(let content) where content.isResolved: try renderFitting(content, for: platform, in: context)
        case .neutral(let content):
            try renderFitting(located(content, for: platform, in: context), for: platform, in: context)
        case .native(let payloads): try render(native: payloads[platform], for: platform, in: context)
        case .template:
            throw RenderError(code: .noTemplate, platform: platform, reason: "a template belongs to a device")
        }
    }

    /// The content for one device, which must know where its attachment is.
    private static func located(
        _ content: Content,
        for platform: Platform,
        in context: RenderContext
    ) throws(RenderError) -> Content {
        let resolved = content.resolved(in: context)
        guard resolved.attachment == nil || resolved.attachment?.url != nil else {
            let reason =
                "the hub has no public address at which a device could fetch the content (DISPATCHER_PUBLIC_URL)"
            let member = "content.attachment.url"
            throw RenderError(code: .noContentAddress, platform: platform, member: member, reason: reason)
        }
        return resolved
    }

    /// Keyed texts are not shortened: the device has them.
    private static func renderFitting(
        _ content: Content,
        for platform: Platform,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        do {
            return try render(content, for: platform, in: context)
        } catch {
            guard error.code == .tooLarge, context.options.oversize == .truncate else { throw error }
            return try BodyTruncation.fit(content, refusal: error) { (shortened) throws(RenderError) in
                try render(shortened, for: platform, in: context)
            }
        }
    }

    private static func render(
        _ content: Content,
        for platform: Platform,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        switch platform {
        case .apns: try APNsRenderer.prepare(content, in: context)
        case .fcmV1: try FCMRenderer.prepare(content, in: context)
        case .browser: try WebPushRenderer.prepare(content, in: context)
        case .wns: try WNSRenderer.prepare(content, in: context)
        case .adm: try ADMRenderer.prepare(content, in: context)
        case .hms: try HMSRenderer.prepare(content, in: context)
        }
    }

    /// Refuses what stands in a template's rendering and in no native payload for `platform`; those for Apple have rules by
    /// push type.
    static func check(native payload: JSONValue, on platform: Platform) throws(RenderError) {
        switch platform {
        case .fcmV1: try FCMRenderer.check(native: payload)
        case .adm: try ADMRenderer.check(native: payload)
        case .hms: try HMSRenderer.check(native: payload)
        case .apns, .browser, .wns: break
        }
    }

    private static func render(
        native payload: JSONValue?,
        for platform: Platform,
        in context: RenderContext
    ) throws(RenderError) -> PreparedPush {
        guard let payload else {
            let reason = "the job has no native payload for \(platform.name)"
            throw RenderError(code: .missingNative, platform: platform, member: "native", reason: reason)
        }
        return switch platform {
        case .apns: try APNsRenderer.prepareNative(payload, in: context)
        case .fcmV1: try FCMRenderer.prepareNative(payload, in: context)
        case .browser: try WebPushRenderer.prepareNative(payload, in: context)
        case .wns: try WNSRenderer.prepareNative(payload, in: context)
        case .adm: try ADMRenderer.prepareNative(payload, in: context)
        case .hms: try HMSRenderer.prepareNative(payload, in: context)
        }
    }
}
