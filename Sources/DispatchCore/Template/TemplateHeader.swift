/// One header field that a template sets.
struct TemplateHeader: Hashable, Sendable {
    /// The name: in lower case for Apple, as the template spells it elsewhere.
    let name: String

    /// The value, which may have expressions.
    let text: TemplateText

    /// The value without white space around it; nil when it holds what a header cannot.
    ///
    /// RFC 9110, section 5.5, and RFC 9113, section 8.2.1: no control characters, which could end the field and begin
    /// another.
    func value(_ properties: TemplateProperties) -> String? {
        let value = text.render(properties)
        guard value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return nil }
        guard value.utf8.first == 0x20 || value.utf8.last == 0x20 else { return value }
        return String(value.drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}
