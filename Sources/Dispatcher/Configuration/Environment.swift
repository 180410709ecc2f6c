import Glibc

/// The variables a command reads, so that tests can give their own.
struct Environment: Sendable {
    private let lookUp: @Sendable (String) -> String?

    init(_ variables: [String: String]) {
        lookUp = { variables[$0] }
    }

    private init(lookUp: @escaping @Sendable (String) -> String?) {
        self.lookUp = lookUp
    }

    static let process = Environment { getenv($0).map { String(cString: $0) } }

    /// The variable's value; nil when it is absent or empty.
    subscript(name: String) -> String? {
        guard let value = lookUp(name), !value.isEmpty else { return nil }
        return value
    }
}
