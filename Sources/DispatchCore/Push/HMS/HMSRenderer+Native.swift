extension HMSRenderer {
    /// Takes a message, with or without the `message` around it, checks it and adds the token alone.
    ///
    /// The job's options are not written into it.
    static func prepareNative(_ payload: JSONValue, in context: RenderContext) throws(RenderError) -> PreparedPush {
        let native = try NativeMessage(payload, platform: .hms)
        try check(native.message)
        let (head, tail) = native.split(token: .array([.string("")]))
        return try push(head: head, tail: tail, options: context.options)
    }

    /// Refuses a payload that breaks the rules.
    static func check(native payload: JSONValue) throws(RenderError) {
        try check(NativeMessage(payload, platform: .hms).message)
    }

    private static func check(_ message: NativeValue) throws(RenderError) {
        try message.refuseTargets(["token", "topic", "condition"])
        try message.optionalText("data")
        let common = message["notification"]
        try common?.object()
        try common?.optionalText("title", "body", "image")
        try message["android"]?.object()
        try message["android"]?.checkConfiguration()
        let drawn = message["android"]?["notification"]
        guard let drawn else {
            guard let common else { return }
            throw common.ruledOut("needs android.notification.click_action")
        }
        try drawn.object()
        for name in ["title", "body"] where common?[name] == nil && drawn[name] == nil {
            throw drawn.ruledOut("needs a \(name), here or in message.notification")
        }
        try drawn.checkNotification()
    }
}

extension NativeValue {
    /// Huawei, "AndroidConfig".
    fileprivate func checkConfiguration() throws(RenderError) {
        try optionalText("data", "category", "bi_tag", "receipt_id")
        try self["collapse_key"]?.integer(in: -1...100)
        try self["urgency"]?.choice(["HIGH", "NORMAL"])
        try self["ttl"]?.duration(atMost: HMSRenderer.longestTTL)
        try self["target_user_type"]?.integer(in: 0...3)
    }

    /// Huawei, "AndroidNotification".
    fileprivate func checkNotification() throws(RenderError) {
        try optionalText("title", "body", "icon", "sound", "tag", "channel_id", "image", "group", "notify_summary")
        try self["color"]?.color()
        try self["importance"]?.choice(["LOW", "NORMAL", "HIGH"])
        try self["visibility"]?.choice(["VISIBILITY_UNSPECIFIED", "PRIVATE", "PUBLIC", "SECRET"])
        try self["notify_id"]?.integer(in: -1...Int64(Int32.max))
        try localisedText(key: "title_loc_key", arguments: "title_loc_args")
        try localisedText(key: "body_loc_key", arguments: "body_loc_args")
        guard let action = self["click_action"] else { throw ruledOut("needs click_action") }
        try action.checkClickAction()
        try self["badge"]?.checkBadge()
        try self["buttons"]?.checkButtons()
    }

    private func checkClickAction() throws(RenderError) {
        try object()
        guard let kind = self["type"] else { throw ruledOut("needs type") }
        try optionalText("intent", "action", "url")
        switch try kind.integer(in: 1...4) {
        case 1 where self["intent"] == nil && self["action"] == nil:
            throw ruledOut("needs intent or action for type 1")
        case 2 where self["url"] == nil:
            throw ruledOut("needs url for type 2")
        default: return
        }
    }

    private func checkBadge() throws(RenderError) {
        try object()
        guard let entry = self["class"] else { throw ruledOut("needs class") }
        try entry.text()
        try self["add_num"]?.integer(in: 1...Int64(HMSRenderer.greatestBadge))
        try self["set_num"]?.integer(in: 0...Int64(HMSRenderer.greatestBadge))
    }

    private func checkButtons() throws(RenderError) {
        guard let buttons = value.elements else { throw malformed("must be an array") }
        guard buttons.count <= HMSRenderer.buttonLimit else {
            throw ruledOut("must have at most \(HMSRenderer.buttonLimit) elements")
        }
    }
}
