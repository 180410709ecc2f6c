import CMicroHTTPD
import Synchronization

extension Exchange {
    /// The header is complete: checks it, asks the policy, and begins to take the body.
    func begin(_ library: LibraryConnection, _ line: LibraryCallbacks.RequestLine) -> Bool {
        let headers = library.headers()
        guard library.headerSize <= server.configuration.headerLimit else {
            return refuseNow(server.faultResponse(.headerFieldsTooLarge), library)
        }
        let version = String(cString: line.version)
        let framing: HTTPBodyFraming
        switch RequestCheck.framing(of: headers, version: version) {
        case .success(let value): framing = value
        // Where the request ends is not certain, so nothing more is read from this connection.
        case .failure(let fault): return refuseNow(server.faultResponse(fault.status), library)
        }
        guard let head = makeHead(String(cString: line.method), headers, framing) else {
            return refuse(server.faultResponse(.badRequest), framing, library)
        }
        if let status = RequestCheck.fault(in: headers, version: version) {
            return refuse(server.faultResponse(status), framing, library)
        }
        guarded.withLock { $0.head = head }
        return apply(server.policy(head), to: head, library)
    }

    private func makeHead(_ method: String, _ headers: HTTPHeaders, _ framing: HTTPBodyFraming) -> HTTPRequestHead? {
        guard ASCII.isToken(method.utf8), let target = try? HTTPTarget(rawTarget) else { return nil }
        return HTTPRequestHead(
            method: HTTPMethod(rawValue: method),
            target: target,
            headers: headers,
            peer: connection.peer,
            framing: framing
        )
    }

    private func apply(_ policy: BodyPolicy, to head: HTTPRequestHead, _ library: LibraryConnection) -> Bool {
        switch policy {
        case .refuse(let response): return refuse(response, head.framing, library)
        case .none:
            guard !head.framing.hasBody else {
                return refuse(server.faultResponse(.contentTooLarge), head.framing, library)
            }
            return begin(.collect(limit: 0), head)
        case .collect(let limit):
            guard fits(head.framing, limit) else {
                return refuse(server.faultResponse(.contentTooLarge), head.framing, library)
            }
            return begin(.collect(limit: limit), head)
        case .stream(let limit, let time):
            guarded.withLock { $0.receiveLimit = time?.milliseconds }
            guard fits(head.framing, limit) else {
                return refuse(server.faultResponse(.contentTooLarge), head.framing, library)
            }
            _ = begin(.stream(limit: limit), head)
            startHandler(.stream(HTTPBodyStream { [self] () async throws(HTTPBodyError) in try await pull() }))
            return true
        }
    }

    private func fits(_ framing: HTTPBodyFraming, _ limit: Int) -> Bool {
        if case .length(let length) = framing { return length <= UInt64(max(0, limit)) }
        return true
    }

    private func begin(_ intake: ExchangeState.Intake, _ head: HTTPRequestHead) -> Bool {
        var expected = 0
        if case .length(let length) = head.framing { expected = Int(clamping: length) }
        guarded.withLock { $0.state.begin(intake, expectedCount: expected) }
        return true
    }

    /// Answers without the body: at once when one is coming, else with the next call, since the library closes a
    /// connection whose response was queued before the request was complete.
    private func refuse(
        _ response: HTTPResponse,
        _ framing: HTTPBodyFraming,
        _ library: LibraryConnection
    ) -> Bool {
        guard !framing.hasBody else { return refuseNow(response, library) }
        guarded.withLock { $0.state.refuse(response) }
        return true
    }

    /// Answers before the body and gives up the connection.
    ///
    /// "If response is provided before request is fully received, the rest of the request is discarded and connection
    /// is automatically closed after sending response."
    private func refuseNow(_ response: HTTPResponse, _ library: LibraryConnection) -> Bool {
        guarded.withLock { $0.state.answered() }
        connection.lingers()
        return send(response, library)
    }
}
