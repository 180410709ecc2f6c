import DispatchCore
import HTTP

/// A request whose route is found and whose caller is known.
struct APIRequest: Sendable {
    let http: HTTPRequest
    let parameters: HTTPRouteParameters
    private let identified: Caller?

    init(http: HTTPRequest, parameters: HTTPRouteParameters, caller: Caller?) {
        self.http = http
        self.parameters = parameters
        identified = caller
    }

    /// Who sends it; routes that are open to all have nobody.
    var caller: Caller {
        get throws(Problem) {
            guard let identified else { throw .unauthorized }
            return identified
        }
    }

    /// What stands in the place of an id in other paths: an installation of this name could not be read.
    private static let takenNames: Set<String> = ["import", "export"]

    /// The installation that the path names, which the caller may touch.
    func installationID() throws(Problem) -> String {
        let id = try pathID(upTo: IdentifierRules.greatestLength, else: "This is no installation id.") {
            IdentifierRules.isInstallationID($0) && !Self.takenNames.contains($0)
        }
        try caller.checkMayTouch(installation: id)
        return id
    }

    /// The id in the path, if it has 1 to `limit` bytes and `isValid` accepts it; `detail` says what it is not otherwise.
    func pathID(upTo limit: Int, else detail: String, _ isValid: (String) -> Bool) throws(Problem) -> String {
        try Problem.checked(parameters["id"] ?? "", upTo: limit, else: detail, at: "id", isValid)
    }

    /// The job that the path names; what is no id names none.
    func jobID() throws(Problem) -> UUIDValue {
        guard let id = parameters["id"].flatMap({ UUIDValue($0) }) else { throw .notFound }
        return id
    }

    /// Refuses a body that says it is something else.
    func requireContentType(_ types: String...) throws(Problem) {
        let type = http.headers["Content-Type"].flatMap { MediaType($0) }
        guard let type, types.contains(type.essence) else {
            throw Problem(.unsupportedMediaType, "unsupportedMediaType", "The body must be \(types[0]).")
        }
    }

    /// Refuses query items that have no meaning, or come twice.
    func checkQuery(_ names: String...) throws(Problem) {
        for item in http.target.query {
            guard names.contains(item.name) else {
                let known = names.isEmpty ? "none" : names.joined(separator: ", ")
                throw Problem(.badRequest, "unknownParameter", "The query takes \(known).", path: "query")
            }
            guard http.target.queryValues(item.name).count == 1 else {
                throw Problem(.badRequest, "repeatedParameter", "A parameter may come once.", path: item.name)
            }
        }
    }

    /// Refuses a request whose conditions a state does not meet.
    func checkConditions(version: Int64?) throws(Problem) {
        try checkConditions(tag: version.map { EntityTag(String($0)) })
    }

    /// Refuses a request whose conditions a state does not meet.
    func checkConditions(tag: EntityTag?) throws(Problem) {
        guard HTTPConditional.evaluate(http.headers, method: http.method, current: tag) == .proceed else {
            throw .preconditionFailed
        }
    }

    /// Answers a question by what there is, or by that the client has it already.
    func answer(tag: EntityTag, _ document: () -> HTTPResponse) throws(Problem) -> HTTPResponse {
        var response: HTTPResponse
        switch HTTPConditional.evaluate(http.headers, method: .get, current: tag) {
        case .notModified: response = HTTPResponse(.notModified)
        case .preconditionFailed: throw .preconditionFailed
        case .proceed: response = document()
        }
        response.add("ETag", tag.field)
        return response
    }
}
