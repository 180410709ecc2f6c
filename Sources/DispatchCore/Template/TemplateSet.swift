/// The templates of one installation.
public struct TemplateSet: Sendable {
    /// The templates in the order of the bytes of their names.
    public let templates: [InstallationTemplate]

    /// Reads an installation's `templates`; the error's path begins at that object.
    public init(decoding value: JSONValue, platform: Platform) throws(JobError) {
        var templates: [InstallationTemplate] = []
        try value.forEachMember { (name, value) throws(JobError) in
            guard (1...TemplateLimits.nameBytes).contains(name.utf8.count) else {
                let reason = "A template's name has 1 to \(TemplateLimits.nameBytes) bytes, not \(name.utf8.count)."
                throw JobError(name.isEmpty ? .outOfRange : .tooLong, reason: reason)
            }
            templates.append(try InstallationTemplate(name: name, decoding: value, platform: platform))
        }
        self.templates = templates.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
    }

    /// The template that a job means: the one `named`; without a name the one named `default`, else the only one, else
    /// the first.
    public func select(named name: String?) -> InstallationTemplate? {
        guard let name else { return template(named: "default") ?? templates.first }
        return template(named: name)
    }

    private func template(named name: String) -> InstallationTemplate? {
        templates.first { $0.name.hasSameBytes(as: name) }
    }
}
