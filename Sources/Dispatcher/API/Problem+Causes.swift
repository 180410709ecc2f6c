import DispatchCore
import HTTP
import Postgres

extension Problem {
    /// A document that cannot be read, or cannot be sent.
    init(_ error: JobError) {
        let status: HTTPStatus =
            switch error.code {
            case .bodyTooLarge: .contentTooLarge
            case .unsendable, .notAvailable: .unprocessableContent
            default: .badRequest
            }
        self.init(status, error.code.rawValue, error.reason, path: error.path, offset: error.offset)
    }

    /// A patch that changes nothing.
    init(_ error: InstallationPatchError) {
        switch error {
        case .testFailed(let operation):
            self.init(.conflict, "testFailed", "The value is not the one the test asks for.", path: "$[\(operation)]")
        case .noTarget(let operation):
            self.init(.conflict, "noTarget", "There is nothing at this path.", path: "$[\(operation)].path")
        case .invalid(let error):
            self.init(.unprocessableContent, error.code.rawValue, error.reason, path: error.path, offset: error.offset)
        }
    }

    /// A form that cannot be read.
    init(_ error: MultipartError) {
        let detail: String =
            switch error {
            case .invalidBoundary: "The Content-Type has no boundary, or one that cannot be."
            case .malformed: "A delimiter or a part's header is not where it should be."
            case .limit: "The form has too many parts, or too long a header."
            case .truncated: "The body ends before the form does."
            }
        self.init(.badRequest, "malformedForm", detail)
    }

    /// A body whose rest does not come.
    init(_ error: HTTPBodyError) {
        switch error {
        case .tooLarge: self.init(.contentTooLarge)
        case .interrupted, .cancelled: self.init(.badRequest, "incomplete", "The body did not come to its end.")
        }
    }

    /// Whatever else a handler threw; the log has the rest.
    init(_ error: any Error) {
        switch error {
        case let problem as Problem: self = problem
        case let error as JobError: self.init(error)
        case let error as InstallationPatchError: self.init(error)
        case let error as MultipartError: self.init(error)
        case let error as HTTPBodyError: self.init(error)
        case is RegistrationStore.Collision:
            self.init(.conflict, "collision", "Other changes were in the way, or the id is one the hub has for itself.")
        case is CategoryStore.Full:
            let detail = "The hub has \(CategoryLimits.perHub) categories, which is the most."
            self.init(.conflict, "tooManyCategories", detail)
        case let error as PostgresError where error.policy != .permanent:
            self = .unavailable("The database does not answer now.")
        case let error as PostgresError where error.kind == .encoding:
            self.init(.badRequest, "invalidFormat", "A text has a character that cannot be stored.")
        default: self.init(.internalServerError, "internal", "The hub failed; its log says more under the request id.")
        }
    }

    /// An answer that the server gives by itself.
    init(_ status: HTTPStatus) {
        let (code, detail): (String, String) =
            switch status.code {
            case 408: ("timeout", "The request did not arrive in time.")
            case 413: ("bodyTooLarge", "The body is longer than this path takes.")
            case 431: ("headersTooLarge", "The header fields are too long.")
            case 501: ("notImplemented", "This transfer coding is not served.")
            case 503: ("unavailable", "The request took too long.")
            default: ("badRequest", "The request breaks a rule of HTTP.")
            }
        self.init(status, code, detail)
    }
}
