import AMQP
import DispatchCore
import HTTP
import Postgres

/// Takes jobs over HTTP: looks whether the id is known, publishes, and remembers what the broker has confirmed.
struct JobIntake: Sendable {
    /// A job as the waves carry it.
    struct Entry: Sendable {
        let id: UUIDValue
        let hash: [UInt8]
    }

    private let publisher: AMQPPublisher
    private let log: Log
    private let looks: RequestWaves<Entry, HubJobStore.Known?>
    private let notes: RequestWaves<Entry, Bool>
    private let places = WaitingPlaces()

    /// How long the broker may take to confirm.
    private static let confirmLimit = Duration.seconds(10)

    /// Jobs that one transaction looks for or remembers.
    private static let waveLimit = 200

    init(pool: PostgresPool, publisher: AMQPPublisher, log: Log) {
        self.publisher = publisher
        self.log = log
        looks = RequestWaves(limit: Self.waveLimit) { hub, entries in
            try await HubJobStore(pool: pool, hub: hub).known(entries.map(\.id))
        }
        notes = RequestWaves(limit: Self.waveLimit) { hub, entries in
            try await HubJobStore(pool: pool, hub: hub).remember(entries)
            return entries.map { _ in true }
        }
    }

    /// Publishes the job unless it is a notification already; answers its state once the broker has it.
    func take(_ body: JobBody, hub: Int32) async throws -> String {
        let entry = Entry(id: body.job.id, hash: try body.hash)
        if body.hasOwnID, let known = try await looks.answer(entry, in: hub) {
            guard known.hash ?? entry.hash == entry.hash else { throw Problem.conflictingJob }
            // One that only waits for a worker goes once more: should the broker have lost it, this one counts.
            if let state = known.state { return state }
        }
        try await publish(body, hub: hub)
        await remember(entry, hub: hub)
        return "queued"
    }

    private func publish(_ body: JobBody, hub: Int32) async throws {
        guard publisher.state.phase == .ready else { throw Problem.unavailable("The broker does not take jobs now.") }
        guard places.take(hub) else { throw Problem.tooManyJobs }
        let results = await publisher.publishSigned([body.message], deadline: Self.confirmLimit)
        places.leave(hub)
        switch results.first {
        case .confirmed?: return
        case .unknown?:
            throw Problem.unavailable("Nobody knows whether job \(body.job.id) was taken; send it again by this id.")
        case .refused?, .returned?, nil: throw Problem.unavailable("The broker refused the job.")
        }
    }

    /// The job is safe whether or not this is written; without it the job is unknown until a worker has taken it.
    private func remember(_ entry: Entry, hub: Int32) async {
        do {
            _ = try await notes.answer(entry, in: hub)
        } catch {
            log.warning("intake.unwritten", ["job": entry.id, "error": error])
        }
    }
}

extension Problem {
    fileprivate static let conflictingJob = Problem(
        .conflict,
        "conflictingJob",
        "A job with this id and another body was accepted before.",
        path: "$.id"
    )

    fileprivate static var tooManyJobs: Problem {
        var problem = Problem(.tooManyRequests, "tooManyJobs", "Too many jobs of this hub wait for the broker.")
        problem.retryAfter = 1
        return problem
    }
}
