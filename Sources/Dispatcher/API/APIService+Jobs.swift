import AMQP
import DispatchCore
import HTTP

extension APIService {
    /// How long the broker may take to confirm.
    private static let confirmLimit = Duration.seconds(10)

    /// Publishes a job; answered when the broker has confirmed it, and from then on nothing loses it.
    func postJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let body = try JobBody(request.http.bytes, caller: request.caller, now: clock.now, horizon: horizon)
        guard publisher.state.phase == .ready else { throw Problem.unavailable("The broker does not take jobs now.") }
        let result = await publisher.publish([body.message], deadline: Self.confirmLimit)
        switch result.first {
        case .confirmed?: return Self.accepted(body.id, state: "queued")
        case .unknown?:
            throw Problem.unavailable("Nobody knows whether job \(body.id) was taken; send it again by this id.")
        case .refused?, .returned?, nil: throw Problem.unavailable("The broker refused the job.")
        }
    }

    func readJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let store = HubJobStore(pool: pool, hub: try request.caller.hub)
        guard let status = try await store.status(of: request.jobID()) else { throw Problem.noJob }
        return .json(.ok, Array(StatusReport.json(status).utf8))
    }

    /// Stops what has not begun; that it was stopped before is as good.
    func cancelJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.jobID()
        switch try await HubJobStore(pool: pool, hub: try request.caller.hub).cancel(id) {
        case .cancelled?: return Self.accepted(id, state: "cancelled")
        case .finished?: throw Problem(.conflict, "finished", "Every delivery of the job has ended.")
        case nil: throw Problem.noJob
        }
    }

    private static func accepted(_ id: UUIDValue, state: String) -> HTTPResponse {
        var response = HTTPResponse.json(.accepted, Array(#"{"id":"\#(id)","state":"\#(state)"}"#.utf8))
        response.add("Location", "/api/jobs/\(id)")
        return response
    }
}

extension Problem {
    fileprivate static let noJob = Problem(
        .notFound,
        "notFound",
        "There is no such job, or no worker has taken it yet."
    )
}
