import AMQP
import DispatchCore
import HTTP
import Postgres

/// Answers requests: finds the route, asks who is calling, and gives every answer what all have in common.
struct APIService: Sendable {
    let pool: PostgresPool
    let publisher: AMQPPublisher
    let database: DatabaseWatch
    let authenticator: Authenticator
    let clock: DatabaseClock
    let jobs: JobIntake
    let log: Log
    let tally: APITally
    /// How far ahead a job may ask to be sent.
    let horizon: Duration
    let reads: HubReads
    let contents: ContentLibrary
    let sightings: Sightings
    let registrationWaves: RequestWaves<WantedRegistration, RegistrationWave.Answer>

    /// Where requests that report wait for each other.
    let receipts: RequestWaves<[Receipt], [ReceiptOutcome]>

    let inboxes: InboxStore
    let inboxReads: RequestWaves<InboxStore.Read, InboxStore.Reading?>
    private let router: HTTPRouter<APIRoute>

    /// The most registrations of a wave, and of what users read.
    private static let writeLimit = 200

    init(
        pool: PostgresPool,
        publisher: AMQPPublisher,
        database: DatabaseWatch,
        log: Log,
        tally: APITally,
        horizon: Duration,
        contents: ContentLibrary,
        receipts: ReceiptIntake
    ) throws {
        self.pool = pool
        self.publisher = publisher
        self.database = database
        self.log = log
        self.tally = tally
        self.horizon = horizon
        self.contents = contents
        self.receipts = Self.receiptWaves(receipts)
        clock = DatabaseClock()
        jobs = JobIntake(pool: pool, publisher: publisher, log: log)
        sightings = Sightings(pool: pool, log: log)
        authenticator = Authenticator(store: AccessStore(pool: pool), clock: clock, failures: FailureLimit())
        reads = HubReads(pool: pool)
        registrationWaves = RequestWaves(limit: Self.writeLimit) {
            try await RegistrationWave.write($1, hub: $0, pool: pool)
        }
        let inboxes = InboxStore(pool: pool, told: receipts.told)
        self.inboxes = inboxes
        inboxReads = RequestWaves(limit: Self.writeLimit) {
            try await inboxes.read($1, in: $0)
        }
        var router = HTTPRouter<APIRoute>()
        for route in APIRoute.all { try router.add(route.method, route.pattern, route) }
        self.router = router
    }

    /// What becomes of a body, by the header alone: nobody sends megabytes before saying who they are.
    func policy(_ head: HTTPRequestHead) -> BodyPolicy {
        let route: APIRoute
        switch router.match(head.method, head.target.segments) {
        case .found(let found, _): route = found
        case .notFound: return head.framing.hasBody ? .refuse(faultResponse(.notFound)) : .none
        case .methodNotAllowed(let allow):
            // The handler answers what has no body; for the rest the method is what is wrong, not the length.
            return head.framing.hasBody ? .refuse(faultResponse(.methodNotAllowed(allow: allow + ", OPTIONS"))) : .none
        }
        guard let limit = route.bodyLimit else { return .none }
        guard head.headers.count(of: "Authorization") > 0 else {
            return .refuse(faultResponse(.unauthorized))
        }
        return route.isStreamed ? .stream(limit: limit, within: route.timeLimit) : .collect(limit: limit)
    }

    /// The answer to a request that no handler sees.
    func faultResponse(_ problem: Problem) -> HTTPResponse {
        let id = newID()
        log.info("http.fault", ["request": id, "status": problem.status.code])
        return finished(problem.response(request: id), request: id)
    }

    /// The whole way of one request.
    func respond(to request: HTTPRequest) async -> HTTPResponse {
        let id = newID()
        let start = ContinuousClock.now
        let match = router.match(request.method, request.target.segments)
        let response: HTTPResponse
        do {
            response = try await answer(request, match)
        } catch {
            let problem = Problem(error)
            if problem.status.code >= 500 { log.warning("http.failed", ["request": id, "error": error]) }
            response = problem.response(request: id)
        }
        record(request, match, id, response.status, ContinuousClock.now - start)
        return finished(response, request: id)
    }

    private func answer(_ request: HTTPRequest, _ match: HTTPRouter<APIRoute>.Match) async throws -> HTTPResponse {
        switch match {
        case .notFound: throw Problem.notFound
        case .methodNotAllowed(let allow):
            guard request.method == .options else { throw Problem.methodNotAllowed(allow: allow + ", OPTIONS") }
            var response = HTTPResponse(.noContent)
            response.add("Allow", allow + ", OPTIONS")
            return response
        case .found(let route, let parameters):
            let caller = route.isOpen(to: request.target) ? nil : try await authenticator.caller(of: request.head)
            if let caller {
                if let device = caller.device { sightings.note(device.key) }
                try route.check(caller)
            }
            return try await route.answer(self, APIRequest(http: request, parameters: parameters, caller: caller))
        }
    }

    /// Never the path itself: it holds ids, and a query may hold users and tags.
    private func record(
        _ request: HTTPRequest,
        _ match: HTTPRouter<APIRoute>.Match,
        _ id: UUIDValue,
        _ status: HTTPStatus,
        _ time: Duration
    ) {
        var pattern = "-"
        if case .found(let route, _) = match { pattern = route.pattern }
        tally.add(route: pattern, status: status, in: time)
        let milliseconds = time.components.seconds * 1000 + time.components.attoseconds / 1_000_000_000_000_000
        log.info(
            "http.request",
            [
                "request": id, "method": request.method.rawValue.prefix(16), "route": pattern, "status": status.code,
                "ms": milliseconds,
            ]
        )
    }

    private func finished(_ response: HTTPResponse, request id: UUIDValue) -> HTTPResponse {
        var response = response
        response.add("X-Request-Id", id.description)
        response.add("X-Content-Type-Options", "nosniff")
        // Registrations and secrets are personal: no cache on the way may keep them.
        if response.headers.count(of: "Cache-Control") == 0 { response.add("Cache-Control", "no-store") }
        if response.headers.count(of: "Content-Security-Policy") == 0 {
            response.add("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'")
        }
        response.add("Referrer-Policy", "no-referrer")
        response.add("Cross-Origin-Resource-Policy", "same-origin")
        return response
    }

    /// What a job is held to that comes now.
    var jobRules: JobRules {
        let contentURL = contents.publicAddress.map { ContentLinks.sample($0) }
        return JobRules(now: clock.now, horizon: horizon, contentURL: contentURL)
    }

    func newID() -> UUIDValue {
        var generator = SystemDice()
        return UUIDValue.timeOrdered(at: clock.now, using: &generator)
    }
}
