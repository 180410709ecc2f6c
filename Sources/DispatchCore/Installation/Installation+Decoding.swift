/// Why an installation is refused: the same parts as for a job.
public typealias InstallationError = JobError

extension Installation {
    /// Reads the body of a message, or one line of an import; unknown members are refused.
    public init(decoding body: [UInt8]) throws(InstallationError) {
        try self.init(decoding: JSONValue.body(body))
    }

    /// Reads a document that has been parsed already.
    public init(decoding document: JSONValue) throws(InstallationError) {
        var members = Members()
        try document.forEachMember { (name, value) throws(JobError) in
            try members.read(name, value)
        }
        guard let id = members.id else { throw JobError.missing("installationId") }
        guard let platform = members.platform else { throw JobError.missing("platform") }
        guard let pushChannel = members.pushChannel else { throw JobError.missing("pushChannel") }
        try APNsEnvironment.check(members.environment, on: platform)
        try members.templates?.checkTemplates(platform: platform)
        self.init(
            id: id,
            hub: members.hub ?? SendJob.defaultHub,
            userID: members.userID,
            platform: platform,
            pushChannel: try PushChannel.text(of: pushChannel, named: "pushChannel", platform: platform),
            environment: members.environment ?? .production,
            topic: members.topic,
            tags: members.tags,
            templates: members.templates,
            locale: members.locale,
            timeZone: members.timeZone,
            permission: members.permission ?? .notDetermined,
            expirationTime: members.expirationTime
        )
    }

    /// What has been read so far.
    private struct Members {
        var id: String?
        var hub: String?
        var userID: String?
        var platform: Platform?
        var pushChannel: JSONValue?
        var environment: APNsEnvironment?
        var topic: String?
        var tags: [Tag] = []
        var templates: JSONValue?
        var locale: String?
        var timeZone: String?
        var permission: Permission?
        var expirationTime: Timestamp?

        mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
            switch name {
            case "installationId": id = try value.installationID()
            case "hub": hub = try value.hubName()
            case "userId": userID = try value.userID()
            case "platform": platform = try value.platform()
            case "pushChannel": pushChannel = value
            case "environment": environment = try APNsEnvironment(decoding: value)
            case "topic": topic = try value.topic()
            case "tags": tags = try Installation.tags(value)
            case "templates": templates = try Installation.templates(value)
            case "locale": locale = try value.languageTag()
            case "timeZone": timeZone = try Installation.timeZone(value)
            case "permission": permission = try Permission(decoding: value)
            case "expirationTime": expirationTime = try value.timestamp()
            default: throw JobError.unknownMember
            }
        }
    }
}

extension Installation {
    private static func tags(_ value: JSONValue) throws(JobError) -> [Tag] {
        let tags = try value.list(limit: InstallationLimits.tags) { (element) throws(JobError) -> Tag in
            let text = try element.text(upTo: Tag.greatestLength)
            guard let tag = Tag(text) else {
                throw JobError(
                    .invalidFormat,
                    reason: "Must have only ASCII letters, digits, “_”, “@”, “#”, “.”, “:” and “-”."
                )
            }
            return tag
        }
        var seen: Set<Tag> = []
        return tags.filter { seen.insert($0).inserted }
    }

    private static func templates(_ value: JSONValue) throws(JobError) -> JSONValue {
        guard case .object = value else { throw value.wrongType(expected: "an object") }
        let length = JSONWriter.encode(value).count
        guard length <= InstallationLimits.templatesBytes else {
            let limit = InstallationLimits.templatesBytes
            throw JobError(.tooLong, reason: "Has \(length) bytes as JSON; at most \(limit) are allowed.")
        }
        return value
    }

    private static func timeZone(_ value: JSONValue) throws(JobError) -> String {
        let form = "the name of a time zone such as Europe/Paris"
        return try value.text(upTo: InstallationLimits.nameBytes, form: form, NameForms.isTimeZone)
    }
}

extension JSONValue {
    /// Refuses templates that could never be sent.
    fileprivate func checkTemplates(platform: Platform) throws(JobError) {
        do {
            _ = try TemplateSet(decoding: self, platform: platform)
        } catch {
            throw error.under("templates")
        }
    }
}
