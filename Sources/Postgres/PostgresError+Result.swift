import CPostgres

extension PostgresError {
    /// The error in a result of status `PGRES_FATAL_ERROR`.
    init(result: OpaquePointer, operation: String) {
        func field(_ code: Int32) -> String? {
            PQresultErrorField(result, code).map { String(cString: $0) }
        }
        let state = field(CPostgresDiagSQLState)
        self.init(
            Self.kind(ofSQLState: state),
            operation: operation,
            sqlState: state,
            constraint: field(CPostgresDiagConstraintName),
            table: field(CPostgresDiagTableName),
            message: Self.speaksOfNamesOnly(state) ? field(CPostgresDiagMessagePrimary) : nil
        )
    }

    /// The error a connection attempt ended with.
    ///
    /// libpq keeps no result for it. With `PQERRORS_SQLSTATE` the text ends with the code alone ("FATAL:  28P01"), in
    /// any language, or is libpq's own about hosts and sockets.
    init(connectionAttempt connection: OpaquePointer, operation: String) {
        let text = PQerrorMessage(connection).map { String(cString: $0) } ?? ""
        let word = text.split(whereSeparator: \.isWhitespace).last.map(String.init) ?? ""
        let isCode = text.contains(":  ") && word.utf8.count == 5 && word.utf8.allSatisfy(Self.isCodeCharacter)
        self.init(.connection, operation: operation, sqlState: isCode ? word : nil, message: text)
    }

    private static func isCodeCharacter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
    }

    /// A result without a code was made by libpq itself: the connection is lost.
    private static func kind(ofSQLState state: String?) -> Kind {
        guard let state else { return .connection }
        if state == "57014" { return .timeout }
        return policy(ofSQLState: state) == .reconnect && state != "25006" ? .connection : .server
    }

    /// Whether messages of this class name objects and resources, not stored values.
    private static func speaksOfNamesOnly(_ state: String?) -> Bool {
        guard let state else { return true }
        return ["08", "0A", "25", "28", "3D", "3F", "42", "53", "55", "57"].contains(state.prefix(2))
    }
}
