/// A request method; methods are case-sensitive (RFC 9110 section 9.1).
public struct HTTPMethod: RawRepresentable, Hashable, Sendable {
    /// The method as it is written in the request line.
    public let rawValue: String

    /// Makes a method of a token.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Transfers a representation of the resource.
    public static let get = HTTPMethod(rawValue: "GET")
    /// The same as `get` without the content.
    public static let head = HTTPMethod(rawValue: "HEAD")
    /// Lets the resource process the content.
    public static let post = HTTPMethod(rawValue: "POST")
    /// Replaces the resource.
    public static let put = HTTPMethod(rawValue: "PUT")
    /// Changes parts of the resource.
    public static let patch = HTTPMethod(rawValue: "PATCH")
    /// Removes the resource.
    public static let delete = HTTPMethod(rawValue: "DELETE")
    /// Asks what the resource can do.
    public static let options = HTTPMethod(rawValue: "OPTIONS")
}
