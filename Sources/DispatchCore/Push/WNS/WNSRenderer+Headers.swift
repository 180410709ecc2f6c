// Microsoft, "Push notification service request and response headers".
extension WNSRenderer {
    /// Adds the header fields that the job decides.
    static func push(
        _ body: [UInt8],
        kind: WNSOptions.Kind,
        thread: String?,
        options: PushOptions
    ) throws(RenderError) -> PreparedPush {
        let told = options.platforms.wns
        guard told?.group == nil || kind == .toast else {
            throw broken("options.wns.group", "only toasts have a group")
        }
        guard !options.isNowOrNever || told?.cachePolicy != .cache else {
            throw broken("options.wns.cachePolicy", "a push that is sent now or never cannot be kept")
        }
        // After the rules: what a shorter text cannot mend is told before what it can.
        let limit = Platform.wns.payloadLimit
        guard body.count <= limit else { throw .tooLarge(body.count, limit: limit, platform: .wns) }
        let headers = [
            PushHeader("X-WNS-Type", "wns/\(kind.rawValue)"),
            PushHeader("Content-Type", kind == .raw ? "application/octet-stream" : "text/xml"),
            PushHeader("X-WNS-PRIORITY", priority(options.priority)),
            tag(of: kind, options: options).map { PushHeader("X-WNS-Tag", $0) },
            (told?.group ?? group(of: kind, thread: thread)).map { PushHeader("X-WNS-Group", $0) },
            (told?.cachePolicy).map { PushHeader("X-WNS-Cache-Policy", $0.rawValue) },
        ]
        return PreparedPush(
            platform: .wns,
            bodyHead: body,
            headers: headers.compactMap(\.self),
            expiresAt: options.expiresAt,
            isNowOrNever: options.isNowOrNever
        )
    }

    /// The text itself where it fits: 1 to 16 ASCII letters and digits; else the first 16 hexadecimal digits of its
    /// SHA-256.
    static func label(_ text: String) -> String {
        let fits = (1...16).contains(text.utf8.count) && text.utf8.allSatisfy(NameForms.isLetterOrDigit)
        return fits ? text : String(SHA256Digest(of: text.utf8).hexadecimal.prefix(16))
    }

    /// By what a toast or tile replaces an earlier one: the collapse key, or else the job's id, so that a push sent twice
    /// is shown once.
    private static func tag(of kind: WNSOptions.Kind, options: PushOptions) -> String? {
        guard kind == .toast || kind == .tile else { return nil }
        return label(options.collapseKey ?? options.notification.description)
    }

    private static func group(of kind: WNSOptions.Kind, thread: String?) -> String? {
        kind == .toast ? thread.map(label) : nil
    }

    private static func priority(_ priority: SendPriority) -> String {
        switch priority {
        case .high: "1"
        case .normal: "2"
        case .low: "3"
        }
    }
}
