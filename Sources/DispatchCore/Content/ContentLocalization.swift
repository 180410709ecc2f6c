/// The texts of a content in one language; what it lacks stays as it is in the content itself.
public struct ContentLocalization: Hashable, Sendable {
    /// The language tag, in the form of BCP 47.
    public let locale: String

    /// The title in that language.
    public let title: String?

    /// The subtitle in that language.
    public let subtitle: String?

    /// The body in that language.
    public let body: String?

    /// Takes checked values.
    public init(locale: String, title: String? = nil, subtitle: String? = nil, body: String? = nil) {
        self.locale = locale
        self.title = title
        self.subtitle = subtitle
        self.body = body
    }
}

extension ContentLocalization {
    /// Reads a map from language tag to texts.
    static func list(decoding value: JSONValue) throws(JobError) -> [ContentLocalization] {
        var list: [ContentLocalization] = []
        try value.forEachMember { (locale, value) throws(JobError) in
            guard locale.utf8.count <= InstallationLimits.nameBytes, NameForms.isLocale(locale) else {
                throw JobError(.invalidFormat, reason: "The name must be a language tag such as en-GB.")
            }
            guard !list.contains(where: { $0.locale.lowercased() == locale.lowercased() }) else {
                throw JobError(.conflictingMembers, reason: "Upper and lower case do not tell languages apart.")
            }
            list.append(try ContentLocalization(locale: locale, decoding: value))
        }
        guard (1...JobLimits.localizations).contains(list.count) else {
            let code = list.isEmpty ? JobError.Code.outOfRange : .tooMany
            throw JobError(code, reason: "Has \(list.count) languages; 1 to \(JobLimits.localizations) are allowed.")
        }
        return list
    }

    private init(locale: String, decoding value: JSONValue) throws(JobError) {
        var texts: (title: String?, subtitle: String?, body: String?)
        try value.forEachMember { (name, value) throws(JobError) in
            switch name {
            case "title": texts.title = try value.text(upTo: JobLimits.textBytes)
            case "subtitle": texts.subtitle = try value.text(upTo: JobLimits.textBytes)
            case "body": texts.body = try value.text(upTo: JobLimits.textBytes)
            default: throw JobError.unknownMember
            }
        }
        guard texts.title != nil || texts.subtitle != nil || texts.body != nil else {
            throw JobError(.missingMember, reason: "At least one of title, subtitle and body is needed.")
        }
        self.init(locale: locale, title: texts.title, subtitle: texts.subtitle, body: texts.body)
    }
}
