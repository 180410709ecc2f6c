import HTTP

/// One method of one path: who may call it, how long a body it takes, and what answers it.
struct APIRoute: Sendable {
    enum Access: Sendable {
        /// Anyone.
        case open
        /// A service whose key has the right.
        case key(AccessRights)
        /// The same, or any device; the handler sees to it that it is its own affair.
        case keyOrDevice(AccessRights)
        /// The same, or anyone whose address has a signature, which the handler verifies.
        case signedOr(AccessRights)
    }

    let method: HTTPMethod
    let pattern: String
    let access: Access
    /// Octets; nil for a request without a body.
    var bodyLimit: Int?
    /// Whether the handler takes the body as it comes.
    var isStreamed = false
    /// How long a streamed body may take to arrive, where that is not the server's limit.
    var timeLimit: Duration?
    let answer: @Sendable (APIService, APIRequest) async throws -> HTTPResponse

    /// Refuses a caller without the right.
    func check(_ caller: Caller) throws(Problem) {
        switch (access, caller.kind) {
        case (.key(let needed), .key(let rights)) where rights.allows(needed): return
        case (.keyOrDevice(let needed), .key(let rights)) where rights.allows(needed): return
        case (.signedOr(let needed), .key(let rights)) where rights.allows(needed): return
        case (.keyOrDevice, .device), (.signedOr, .device): return
        default: throw .forbidden("The credential does not have the right to do this.")
        }
    }

    /// Whether nobody is asked who they are.
    func isOpen(to target: HTTPTarget) -> Bool {
        switch access {
        case .open: true
        case .signedOr: target.firstQueryValue("signature") != nil
        case .key, .keyOrDevice: false
        }
    }
}
