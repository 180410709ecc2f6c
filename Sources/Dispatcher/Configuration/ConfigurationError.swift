/// A setting that is missing or cannot be used; says which and what it takes, never its value.
struct ConfigurationError: Error, CustomStringConvertible {
    let variable: String
    let reason: String

    var description: String { "\(variable): \(reason)" }
}
