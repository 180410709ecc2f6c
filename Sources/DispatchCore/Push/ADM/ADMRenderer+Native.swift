extension ADMRenderer {
    /// Takes a message as is, and checks it; the job's options are not written into it.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        try check(native: payload)
        return try push(JSONWriter.encode(payload), options: context.options)
    }

    /// Refuses a payload that breaks the rules.
    static func check(native payload: JSONValue) throws(RenderError) {
        let message = NativeValue(payload: payload, platform: .adm)
        try message.object()
        guard message["data"] != nil || message["notification"] != nil else {
            throw message.malformed("must have data or notification")
        }
        try message["data"]?.strings()
        if let notification = message["notification"] { try check(notification) }
        try message["consolidationKey"]?.checkKey()
        try message["expiresAfter"]?.integer(in: 1...lifetime.upperBound)
        try message["priority"]?.choice(["normal", "high"])
        try message.optionalText("md5")
    }

    /// Amazon, "ADM Message Types".
    private static func check(_ notification: NativeValue) throws(RenderError) {
        try notification.object()
        try notification.optionalText("title", "body", "icon", "sound", "tag", "click_action", "channel_id", "image")
        try notification["color"]?.color()
        try notification.localisedText(key: "title_loc_key", arguments: "title_loc_args")
        try notification.localisedText(key: "body_loc_key", arguments: "body_loc_args")
    }
}

extension NativeValue {
    fileprivate func checkKey() throws(RenderError) {
        guard try text().utf8.count <= ADMRenderer.keyLimit else {
            throw ruledOut("must have at most \(ADMRenderer.keyLimit) bytes")
        }
    }
}
