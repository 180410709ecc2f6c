extension FCMRenderer {
    /// Takes a message, with or without the `message` around it, checks it and adds the token alone.
    ///
    /// The job's options are not written into it.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        let native = try NativeMessage(payload, platform: .fcmV1)
        try check(native.message)
        let (head, tail) = native.split(token: .string(""))
        return try push(head: head, tail: tail, options: context.options)
    }

    /// Refuses a payload that breaks the rules.
    static func check(native payload: JSONValue) throws(RenderError) {
        try check(NativeMessage(payload, platform: .fcmV1).message)
    }

    private static func check(_ message: NativeValue) throws(RenderError) {
        try message.refuseTargets(["token", "topic", "condition", "fid"])
        try checkData(message["data"])
        if let notification = message["notification"] {
            try notification.object()
            try notification.optionalText("title", "body", "image")
        }
        if let android = message["android"] { try checkAndroid(android) }
        try message["apns"]?["headers"]?.strings()
        try message["webpush"]?["headers"]?.strings()
        try message["webpush"]?["data"]?.strings()
        try checkLabel(message)
    }

    /// Firebase, "AndroidConfig".
    private static func checkAndroid(_ android: NativeValue) throws(RenderError) {
        try android.object()
        try android.optionalText("collapse_key", "restricted_package_name")
        try android["priority"]?.choice(["NORMAL", "HIGH", "normal", "high"])
        try android["ttl"]?.duration(atMost: longestTTL)
        try checkData(android["data"])
        try checkLabel(android)
        guard let notification = android["notification"] else { return }
        try notification.object()
        try notification.optionalText(
            "title",
            "body",
            "icon",
            "sound",
            "tag",
            "click_action",
            "channel_id",
            "ticker",
            "image"
        )
        try notification["color"]?.color()
        try notification["notification_count"]?.integer(in: 0...Int64(Int32.max))
        try notification["visibility"]?.choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])
        try notification["notification_priority"]?.choice(prominences)
        try notification.optionalFlags("default_sound", "default_vibrate_timings", "default_light_settings")
        try notification.optionalFlags("sticky", "local_only")
        try notification.localisedText(key: "title_loc_key", arguments: "title_loc_args")
        try notification.localisedText(key: "body_loc_key", arguments: "body_loc_args")
    }

    /// Firebase, "NotificationPriority".
    private static let prominences = ["UNSPECIFIED", "MIN", "LOW", "DEFAULT", "HIGH", "MAX"].map { "PRIORITY_" + $0 }

    private static func checkData(_ data: NativeValue?) throws(RenderError) {
        guard let data else { return }
        for member in try data.strings() where isReserved(member.name) {
            throw reserved(member.name, at: "\(data.path).\(member.name)")
        }
    }

    private static func checkLabel(_ holder: NativeValue) throws(RenderError) {
        guard let label = holder["fcm_options"]?["analytics_label"] else { return }
        do { _ = try label.value.analyticsLabel() } catch {
            throw label.malformed("must be 1 to 50 ASCII letters, digits, -, _, ., ~ and %")
        }
    }
}
