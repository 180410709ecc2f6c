/// The members of a template as they were read, before they are made one.
struct TemplateSource {
    private var text: String?
    private var fields: [(name: String, value: String)] = []
    private var expiryText: String?
    private var syntax = TemplateSyntax.azure

    /// Reads the member `name`.
    mutating func read(_ name: String, _ value: JSONValue) throws(JobError) {
        switch name {
        case "body": text = try value.text(upTo: TemplateLimits.bodyBytes)
        case "headers": try readHeaders(value)
        case "expiry": expiryText = try value.text(upTo: TemplateLimits.headerBytes)
        case "syntax": syntax = try value.spelling(of: TemplateSyntax.self)
        case "tags":
            _ = try value.list(limit: InstallationLimits.tags) { (tag) throws(JobError) in
                try tag.text(upTo: TemplateLimits.nameBytes)
            }
        default: throw JobError.unknownMember
        }
    }

    /// Reads the body; `kind` is the value of `X-WNS-Type`.
    func body(on platform: Platform, kind: String?) throws(JobError) -> TemplateBody {
        guard let text else { throw JobError.missing("body") }
        do throws(TemplateError) {
            return try TemplateBody(text, platform: platform, syntax: syntax, wnsType: kind)
        } catch {
            throw JobError(error).under("body")
        }
    }

    /// Reads the header fields, which only Apple and Windows have.
    func headers(on platform: Platform) throws(JobError) -> [TemplateHeader] {
        var headers: [TemplateHeader] = []
        for (name, value) in fields {
            do throws(TemplateError) {
                let spelling = try Self.spelling(of: name, on: platform)
                guard !headers.contains(where: { $0.name.lowercased() == name.lowercased() }) else {
                    throw TemplateError(.platformRule, reason: "The header is there twice, in different spellings.")
                }
                headers.append(TemplateHeader(name: spelling, text: try TemplateText(parsing: value, syntax: syntax)))
            } catch {
                throw JobError(error).under(name).under("headers")
            }
        }
        return headers
    }

    /// Reads the expiry, which the gateways of Google, Amazon and Huawei are told in the body alone.
    func expiry(on platform: Platform) throws(JobError) -> TemplateText? {
        guard let expiryText else { return nil }
        do throws(TemplateError) {
            guard ![.fcmV1, .adm, .hms].contains(platform) else {
                let place = platform == .adm ? "expiresAfter" : "android.ttl"
                throw TemplateError(.platformRule, reason: "Must be left out: write \(place) into the body.")
            }
            let text = try TemplateText(parsing: expiryText, syntax: syntax)
            guard text.constant.map({ TemplateExpiry($0) != nil }) != false else {
                throw TemplateError(
                    .platformRule,
                    reason: "Must be 0, a time such as 2026-12-01T12:00:00Z, or an expression."
                )
            }
            return text
        } catch {
            throw JobError(error).under("expiry")
        }
    }

    private mutating func readHeaders(_ value: JSONValue) throws(JobError) {
        try value.forEachMember { (name, value) throws(JobError) in
            fields.append((name, try value.text(upTo: TemplateLimits.headerBytes)))
        }
        guard fields.count <= TemplateLimits.headers else {
            throw JobError(
                .tooMany,
                reason: "Has \(fields.count) members; at most \(TemplateLimits.headers) are allowed."
            )
        }
    }

    private static func spelling(of name: String, on platform: Platform) throws(TemplateError) -> String {
        let isToken = name.utf8.allSatisfy { NameForms.isLetterOrDigit($0) || $0 == UInt8(ascii: "-") }
        let lowered = name.lowercased()
        guard isToken, name.utf8.count <= TemplateLimits.headerNameBytes else {
            throw TemplateError(.platformRule, reason: "A header's name has only ASCII letters, digits and “-”.")
        }
        switch platform {
        case .apns:
            guard lowered.hasPrefix("apns-") else {
                throw TemplateError(.platformRule, reason: "A header for Apple must begin with “apns-”.")
            }
            guard lowered != "apns-id", lowered != "apns-topic" else {
                let reason = "The hub writes this header itself: the topic is the installation's."
                throw TemplateError(.platformRule, reason: reason)
            }
            return lowered
        case .wns:
            guard lowered.hasPrefix("x-wns-") else {
                throw TemplateError(.platformRule, reason: "A header for Windows must begin with “X-WNS-”.")
            }
            return name
        case .fcmV1, .browser, .adm, .hms:
            throw TemplateError(.platformRule, reason: "Only templates for apns and wns have headers.")
        }
    }
}
