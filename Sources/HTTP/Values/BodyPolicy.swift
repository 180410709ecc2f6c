/// What to do with the body of a request, decided when only its header is there.
public enum BodyPolicy: Sendable {
    /// The request has no body; one that has is answered with 413.
    case none
    /// Collect it, up to this many octets.
    case collect(limit: Int)
    /// Hand it to the handler as it comes, up to this many octets; `within` is how long all of it may take, where that is
    /// not the server's limit.
    case stream(limit: Int, within: Duration? = nil)
    /// Answer without reading it and without `100 Continue`; with a body under way the connection then closes.
    case refuse(HTTPResponse)
}
