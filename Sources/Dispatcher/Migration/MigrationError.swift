/// Why the schema is not brought up to date; each names the migration.
enum MigrationError: Error, Equatable, CustomStringConvertible {
    case notUTF8(String)
    case outOfSequence(expected: Int, found: Int)
    case edited(version: Int, name: String)
    case missing(version: Int, name: String)
    case newerSchema(found: Int, known: Int)
    case olderSchema(found: Int, known: Int)

    var description: String {
        switch self {
        case .notUTF8(let name):
            "migration file \(name) is not UTF-8"
        case .outOfSequence(let expected, let found):
            "migration \(expected) is missing: the next file is number \(found)"
        case .edited(let version, let name):
            "migration \(version) (\(name)) was edited after it was applied; write a new one instead"
        case .missing(let version, let name):
            "migration \(version) (\(name)) is applied in the database but its file is missing"
        case .newerSchema(let found, let known):
            "the database is at migration \(found), this program knows \(known); use the newer program"
        case .olderSchema(let found, let known):
            "the database is at migration \(found), this program needs \(known); run 'dispatcher migrate'"
        }
    }
}
