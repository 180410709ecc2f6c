import DispatchCore

/// One numbered step of the schema, as found in a file.
struct Migration: Sendable, Equatable {
    let version: Int
    let name: String
    let sql: String

    /// SHA-256 of the file, in hexadecimal: an applied migration is never edited.
    let checksum: String

    init(version: Int, name: String, sql: String) {
        self.version = version
        self.name = name
        self.sql = sql
        checksum = SHA256Digest(of: sql.utf8).hexadecimal
    }

    /// Reads `NNNN_name.sql`; nil for any other file name.
    init?(fileName: String, sql: String) {
        guard fileName.hasSuffix(".sql") else { return nil }
        let stem = fileName.dropLast(4)
        guard let underscore = stem.firstIndex(of: "_"), stem.distance(from: stem.startIndex, to: underscore) == 4,
            let version = Int(stem[..<underscore]), version > 0
        else { return nil }
        self.init(version: version, name: String(stem[stem.index(after: underscore)...]), sql: sql)
    }
}
