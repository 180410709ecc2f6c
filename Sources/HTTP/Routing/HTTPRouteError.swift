/// Why a route cannot be registered.
public enum HTTPRouteError: Error, Sendable, Equatable {
    /// The pattern does not begin with a slash, or has a brace out of place or the same name twice.
    case malformed(String)
    /// Method and path are taken.
    case duplicate(String)
}
