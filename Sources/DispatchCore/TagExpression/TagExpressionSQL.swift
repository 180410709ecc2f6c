/// A tag expression as one SQL boolean, with every value of it outside the text.
public struct TagExpressionSQL: Hashable, Sendable {
    /// The condition; the numbers of its `$n` are consecutive and in the order of `parameters`.
    public let text: String

    /// What to bind, first to `$firstParameter`.
    public let parameters: [SQLParameter]

    /// Pairs a condition with its parameters.
    public init(text: String, parameters: [SQLParameter]) {
        self.text = text
        self.parameters = parameters
    }
}

extension TagExpression {
    /// Compiles to a condition over the columns `tags text[]`, `installation_id text` and `user_id text` of `alias`.
    ///
    /// Tags joined by `||` become one `&&` and tags joined by `&&` one `@>`, which a GIN index on `tags` answers. It may be null
    /// where it means false, as `WHERE` takes it.
    /// `alias` is an identifier from the program's own text, and `firstParameter` the number of the first `$n`.
    public func sql(alias: String = "i", firstParameter: Int) -> TagExpressionSQL {
        var compiler = TagExpressionCompiler(alias: alias, firstParameter: firstParameter)
        let text = compiler.condition(for: self, isNegated: false)
        return TagExpressionSQL(text: text, parameters: compiler.parameters)
    }
}
