extension PostgresSession {
    /// Writes rows by binary COPY and answers how many there were.
    ///
    /// The server checks each value against the column's type: write exactly that type. `table` is a name, or schema and
    /// name with a dot between.
    ///
    /// - Throws: what the body throws, after telling the server to refuse the rows: an open transaction is aborted. Also
    ///   `.encoding` for text with a NUL or a row that does not have the columns announced.
    public func copyIn(
        _ table: String,
        columns: [String],
        _ body: (inout PostgresCopyWriter) throws(PostgresError) -> Void
    ) throws(PostgresError) -> Int {
        let operation = Operation.named("copy \(table)")
        let target = table.split(separator: ".").map { Self.quoted($0) }.joined(separator: ".")
        let names = columns.map { Self.quoted($0[...]) }.joined(separator: ", ")
        let sql = "COPY \(target) (\(names)) FROM STDIN (FORMAT binary)"
        return try handle.committing(if: false) { () throws(PostgresError) in
            try handle.beginCopy(sql, operation)
            do throws(PostgresError) {
                var writer = PostgresCopyWriter(handle: handle, operation: operation)
                try body(&writer)
                try writer.finish()
            } catch {
                handle.abortCopy(operation)
                throw error
            }
            return try handle.endCopy(operation)
        }
    }

    private static func quoted(_ name: Substring) -> String {
        "\"" + name.split(separator: "\"", omittingEmptySubsequences: false).joined(separator: "\"\"") + "\""
    }
}
