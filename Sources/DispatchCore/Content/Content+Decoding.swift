extension Content {
    init(decoding value: JSONValue) throws(JobError) {
        self.init()
        try value.forEachMember { (name, value) throws(JobError) in
            try read(name, value)
        }
        try check()
    }

    /// Reads one member.
    mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "title": title = try LocalizableText(decoding: value)
        case "subtitle": subtitle = try LocalizableText(decoding: value)
        case "body": body = try LocalizableText(decoding: value)
        case "localizations": localizations = try ContentLocalization.list(decoding: value)
        case "badge": badge = try Badge(decoding: value)
        case "sound": sound = try Sound(decoding: value)
        case "category": category = try value.text(upTo: JobLimits.nameBytes)
        case "actions": actions = try Self.actions(value)
        case "thread": thread = try value.text(upTo: JobLimits.nameBytes)
        case "summary": summary = try Summary(decoding: value)
        case "interruptionLevel": interruptionLevel = try InterruptionLevel(decoding: value)
        case "relevance": relevance = try value.number(from: 0, to: 1)
        case "attachment": attachment = try Attachment(decoding: value)
        case "rich": rich = try RichContent(decoding: value)
        case "link": link = try value.url()
        case "targetContentId": targetContentID = try value.text(upTo: JobLimits.nameBytes)
        case "data": data = try Self.data(value)
        case "apns": apns = try APNsContent(decoding: value)
        case "fcmV1": fcmV1 = try FCMContent(decoding: value)
        case "browser": browser = try BrowserContent(decoding: value)
        case "wns": wns = try WNSContent(decoding: value)
        case "hms": hms = try HMSContent(decoding: value)
        case "liveActivity": liveActivity = try LiveActivity(decoding: value)
        default: throw JobError.unknownMember
        }
    }

    private func check() throws(JobError) {
        guard !isSilent || !data.isEmpty || rich != nil || liveActivity != nil else {
            throw JobError(
                .missingMember,
                reason: "At least one of title, subtitle, body, badge, sound, data, rich and liveActivity is needed."
            )
        }
        guard attachment == nil || hasText else {
            throw JobError(
                .missingMember,
                reason: "An attachment needs a title, subtitle or body: Apple runs the app's extension for alerts only."
            ).under("attachment")
        }
        guard attachment == nil || attachment?.url != nil || rich?.isKept == true else {
            throw JobError.missing("url").under("attachment")
        }
        guard liveActivity?.event != .start || title != nil || body != nil else {
            throw JobError(
                .missingMember,
                reason: "The start of a Live Activity needs an alert: give a title or a body."
            ).under("liveActivity")
        }
    }

    private static func actions(_ value: JSONValue) throws(JobError) -> [CategoryAction] {
        let actions = try CategoryAction.list(decoding: value)
        guard !actions.isEmpty else {
            throw JobError(.outOfRange, reason: "Must not be empty; leave the member out for the category's own.")
        }
        return actions
    }

    private static func data(_ value: JSONValue) throws(JobError) -> [JSONMember] {
        guard case .object(let members) = value else { throw value.wrongType(expected: "an object") }
        try value.checkNotEmpty()
        guard !members.contains(where: { $0.name == "aps" }) else {
            throw JobError(.reservedMember, reason: "The member “aps” is Apple's; use native to write it.").under("aps")
        }
        return members
    }
}
