/// The preconditions of a request (RFC 9110 section 13), evaluated against the resource as it is.
public enum HTTPConditional {
    /// What to do with the request.
    public enum Outcome: Sendable, Equatable {
        /// Perform it.
        case proceed
        /// Answer 304: the client has this representation.
        case notModified
        /// Answer 412.
        case preconditionFailed
    }

    /// Evaluates If-Match and If-None-Match in the order of RFC 9110 section 13.2.2.
    ///
    /// - Parameters:
    ///   - headers: The fields of the request.
    ///   - method: Its method: a failed If-None-Match is 304 for GET and HEAD and 412 for others.
    ///   - current: The tag of the current representation; nil when the resource does not exist.
    /// - Returns: Whether to perform the request. A field that cannot be read fails If-Match and is ignored as
    ///   If-None-Match, the safe side of each.
    public static func evaluate(_ headers: HTTPHeaders, method: HTTPMethod, current: EntityTag?) -> Outcome {
        let match = headers.values(of: "If-Match").joined(separator: ",")
        if headers.count(of: "If-Match") > 0, !ifMatch(match, current) { return .preconditionFailed }
        let noneMatch = headers.values(of: "If-None-Match").joined(separator: ",")
        if headers.count(of: "If-None-Match") > 0, ifNoneMatchFails(noneMatch, current) {
            return method == .get || method == .head ? .notModified : .preconditionFailed
        }
        return .proceed
    }

    /// Whether a Range field applies: an If-Range field must name the current representation (strong comparison).
    public static func rangeApplies(_ headers: HTTPHeaders, current: EntityTag?) -> Bool {
        guard let field = headers["If-Range"] else { return true }
        guard let current, let tags = EntityTag.list(field), tags.count == 1 else { return false }
        return tags[0].matchesStrongly(current)
    }

    private static func ifMatch(_ field: String, _ current: EntityTag?) -> Bool {
        guard let current else { return false }
        if isAny(field) { return true }
        return EntityTag.list(field)?.contains { $0.matchesStrongly(current) } ?? false
    }

    private static func ifNoneMatchFails(_ field: String, _ current: EntityTag?) -> Bool {
        guard let current else { return false }
        if isAny(field) { return true }
        return EntityTag.list(field)?.contains { $0.matchesWeakly(current) } ?? false
    }

    private static func isAny(_ field: String) -> Bool {
        ASCII.trimmed(Array(field.utf8)) == [UInt8(ascii: "*")]
    }
}
