import AMQP
import DispatchCore
import HTTP

extension APIService {
    /// Publishes a job; answered when the broker has confirmed it, and from then on nothing loses it.
    func postJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let caller = try request.caller
        let body = try await resolved(
            try JobBody(request.http.bytes, caller: caller, rules: jobRules),
            caller: caller
        )
        return Self.accepted(body.job.id, state: try await jobs.take(body, hub: caller.hub))
    }

    func readJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.jobID()
        let caller = try request.caller
        switch try await HubJobStore(pool: pool, hub: caller.hub).state(of: id) {
        case .known(let status): return .json(.ok, Array(StatusReport.json(status).utf8))
        case .waiting(let job): return .json(.ok, job.document(id: id, hub: caller.hubName))
        case nil: throw Problem.noJob
        }
    }

    /// Stops what has not begun; that it was stopped before is as good.
    func cancelJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let id = try request.jobID()
        switch try await HubJobStore(pool: pool, hub: try request.caller.hub).cancel(id) {
        case .cancelled?: return Self.accepted(id, state: "cancelled")
        case .finished?: throw Problem(.conflict, "finished", "Every delivery of the job has ended.")
        case .queued?: throw Problem.stillQueued
        case nil: throw Problem.noJob
        }
    }

    /// Puts another document in the place of one that waits for its time.
    func changeJob(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let id = try request.jobID()
        let caller = try request.caller
        let now = clock.now
        let body = try await resolved(
            try JobBody(request.http.bytes, replacing: id, caller: caller, rules: jobRules),
            caller: caller
        )
        switch try await HubJobStore(pool: pool, hub: caller.hub).change(body, now: now) {
        case .changed?:
            let isScheduled = body.job.isByDevice || body.job.options.sendAt.map { $0 > now } ?? false
            return Self.accepted(id, state: isScheduled ? "scheduled" : "planning")
        case .queued?: throw Problem.stillQueued
        case .cancelled?: throw Problem(.conflict, "cancelled", "The job was cancelled.")
        case .begun?: throw Problem(.conflict, "begun", "The job waits no longer: it is being sent, or was.")
        case nil: throw Problem.noJob
        }
    }

    /// The body with the instants that its local time means; only what it names is looked up.
    func resolved(_ body: JobBody, caller: Caller) async throws -> JobBody {
        if let name = body.job.options.classes.name,
            try await !HubJobStore(pool: pool, hub: caller.hub).hasClass(name)
        {
            let detail = "The hub has no class of notifications with this name."
            throw Problem(.unprocessableContent, "unknownClass", detail, path: "$.options.class")
        }
        return try await body.resolved(by: LocalTimeStore(pool: pool), rules: jobRules)
    }

    static func accepted(_ id: UUIDValue, state: String) -> HTTPResponse {
        var response = HTTPResponse.json(.accepted, Array(#"{"id":"\#(id)","state":"\#(state)"}"#.utf8))
        response.add("Location", "/api/jobs/\(id)")
        return response
    }
}

extension Problem {
    fileprivate static let noJob = Problem(.notFound, "notFound", "There is no such job.")

    fileprivate static var stillQueued: Problem {
        var problem = Problem(.conflict, "queued", "No worker has taken the job yet; ask again in a moment.")
        problem.retryAfter = 1
        return problem
    }
}
