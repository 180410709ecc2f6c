/// A piece of one text of a template.
enum TemplatePart: Hashable, Sendable {
    /// Text that is always the same, not yet escaped.
    case literal([UInt8])

    /// A property's text.
    case value(TemplateReference)

    /// A property's value as JSON, which is the whole text.
    case json(TemplateReference)
}
