extension TagExpression {
    /// Reads an expression; `!` binds closer than `&&`, and `&&` closer than `||`.
    public init(parsing text: String) throws(TagExpressionError) {
        guard text.utf8.count <= Self.greatestLength else {
            throw TagExpressionError(
                code: .tooLong,
                offset: Self.greatestLength,
                expected: "at most \(Self.greatestLength) bytes",
                found: "\(text.utf8.count)"
            )
        }
        var parser = TagExpressionParser(bytes: Array(text.utf8))
        self = try parser.wholeText()
    }
}
