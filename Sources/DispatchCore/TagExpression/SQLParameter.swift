/// A value to bind to one `$n` of generated SQL.
public enum SQLParameter: Hashable, Sendable {
    /// One `text`.
    case text(String)

    /// A `text[]` of one dimension.
    case texts([String])
}
