extension PostgresSession {
    /// Reads a large result in pieces of constant size, through a cursor.
    ///
    /// The body may use the session in between; each fetch is a statement with time limits of its own. Outside a
    /// transaction block one is opened for the while.
    public func forEachChunk(
        _ statement: PostgresStatement,
        size: Int = 4096,
        _ body: (PostgresRows) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        if handle.isInTransaction { return try stream(statement, size, body) }
        try transaction { session throws(PostgresError) in
            try session.stream(statement, size, body)
        }
    }

    /// Reads a large result row by row with constant memory; the body gets a piece and the row's position in it.
    public func forEachRow(
        _ statement: PostgresStatement,
        _ body: (PostgresRows, Int) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        try forEachChunk(statement) { rows throws(PostgresError) in
            for row in 0..<rows.count { try body(rows, row) }
        }
    }

    private func stream(
        _ statement: PostgresStatement,
        _ size: Int,
        _ body: (PostgresRows) throws(PostgresError) -> Void
    ) throws(PostgresError) {
        let cursor = handle.statements.makeName()
        let fetch = PostgresStatement("FETCH \(max(1, size)) FROM \(cursor)", prepared: false)
        let declare = "DECLARE \(cursor) NO SCROLL CURSOR FOR \(statement.sql)"
        // All rows are read: the planner must not prefer a plan that is quick for the first tenth.
        let opened = try handle.pipeline([
            PostgresStatement("SET LOCAL cursor_tuple_fraction = 1", prepared: false),
            PostgresStatement(declare, statement.parameters, prepared: false),
            fetch,
        ])
        var rows = opened.last
        while let chunk = rows, chunk.count > 0 {
            rows = nil
            try body(chunk)
            if chunk.count == max(1, size) { rows = try handle.execute(fetch) }
        }
        try handle.execute("CLOSE \(cursor)", .named("close cursor"))
    }
}
