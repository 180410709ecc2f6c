/// What is being done, turned into words only when an error needs them.
enum Operation {
    case named(String)
    case statement(PostgresStatement)

    var text: String {
        switch self {
        case .named(let name): name
        case .statement(let statement): "execute \(Substring(statement.verb))"
        }
    }
}
