/// The language a template is written in.
public enum TemplateSyntax: String, CaseIterable, Hashable, Sendable {
    /// The language of Azure Notification Hubs, decided by the first character of a whole value.
    case azure

    /// The same expressions anywhere in a text, with escapes and nested values.
    case extended
}
