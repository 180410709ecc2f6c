/// The statements a connection has parsed under a name; the longest unused one makes room for a new one.
struct PreparedStatements {
    /// Text and parameter types: the server fixes both when it parses.
    struct Key: Hashable {
        let sql: String
        let types: [PostgresType]

        init(_ statement: PostgresStatement) {
            sql = statement.sql
            types = statement.parameters.map(\.type)
        }

        /// By octets: strings that differ only in Unicode normalisation are different SQL.
        static func == (left: Key, right: Key) -> Bool {
            left.types == right.types && left.sql.utf8.elementsEqual(right.sql.utf8)
        }
    }

    private struct Entry {
        let name: String
        var lastUse: UInt64
    }

    private let limit: Int
    private var entries: [Key: Entry] = [:]
    private var uses: UInt64 = 0
    private var names: UInt64 = 0

    init(limit: Int) {
        self.limit = limit
    }

    /// The name of a statement that the server knows.
    mutating func name(of key: Key) -> String? {
        uses += 1
        guard let index = entries.index(forKey: key) else { return nil }
        entries.values[index].lastUse = uses
        return entries.values[index].name
    }

    /// A name no statement of this connection has had.
    mutating func makeName() -> String {
        names += 1
        return "s\(names)"
    }

    /// Remembers what the server has parsed; answers the name it should forget.
    mutating func insert(_ key: Key, name: String) -> String? {
        let oldest = entries.count < limit ? nil : entries.min { $0.value.lastUse < $1.value.lastUse }
        if let oldest { entries[oldest.key] = nil }
        uses += 1
        entries[key] = Entry(name: name, lastUse: uses)
        return oldest?.value.name
    }

    /// Forgets a statement that the server no longer accepts; answers its name.
    mutating func remove(_ key: Key) -> String? {
        entries.removeValue(forKey: key)?.name
    }

    /// How many are known.
    var count: Int { entries.count }
}
