import AMQP
import DispatchCore

/// Reads the messages of a wave: the valid jobs, and a named reason for each of the others.
struct JobDecoder: Sendable {
    let queue: String
    let hubs: HubDirectory

    /// How far ahead a job may ask to be sent: its rows belong to the day it came, which goes with the retention.
    let horizon: Duration
    let clock: DatabaseClock
    let times: LocalTimeStore
    let lane: Lane
    let erasures: ErasureWatch
    let publishers: PublisherCheck

    /// The worker's address for devices, if it has one.
    let publicAddress: PublicAddress?

    struct Decoded: Sendable {
        var jobs: [WaveJob] = []
        var rejections: [Rejection] = []
    }

    func decode(_ messages: [AMQPDelivery]) async throws -> Decoded {
        var decoded = Decoded()
        decoded.jobs.reserveCapacity(messages.count)
        let parsed = messages.map(parse)
        let moments = try await times.moments(of: Self.locals(parsed))
        for (message, parsed) in zip(messages, parsed) {
            switch parsed {
            case .failure(let error):
                let id = SendJob.id(in: message.body)
                decoded.rejections.append(Rejection(message, queue: queue, error: error, jobID: id))
            case .success(let parsed):
                guard let job = parsed.resolved(by: moments) else {
                    decoded.rejections.append(unknownZone(parsed, message))
                    continue
                }
                if let rejection = untimely(job, message) {
                    decoded.rejections.append(rejection)
                    continue
                }
                guard let hub = try await hubs.hub(named: job.hub) else {
                    decoded.rejections.append(.unknownHub(job.hub, message, job: job.id, queue: queue))
                    continue
                }
                if let rejection = publishers.rejection(of: message, for: hub, job: job.id, queue: queue) {
                    decoded.rejections.append(rejection)
                    continue
                }
                if let name = job.options.classes.name, try await !hubs.knows(name, in: hub) {
                    decoded.rejections.append(.unknownClass(hub.name, message, job: job.id, queue: queue))
                    continue
                }
                let trace = erasures.trace(of: job, body: message.body, hub: hub.id, lane: lane)
                decoded.jobs.append(WaveJob(job: job, hub: hub, message: message, trace: trace))
            }
        }
        return decoded
    }

    /// The local times of the jobs, each once.
    private static func locals(_ parsed: [Result<SendJob, JobError>]) -> Set<LocalSchedule> {
        var locals: Set<LocalSchedule> = []
        for case .success(let job) in parsed {
            if let local = job.options.local { locals.insert(local) }
        }
        return locals
    }

    private func parse(_ message: AMQPDelivery) -> Result<SendJob, JobError> {
        CrashHook.check(message.body)
        do throws(JobError) {
            let job = try SendJob(decoding: message.body, messageID: message.properties.messageID)
            try job.checkSendable(now: clock.now, contentURL: publicAddress.map { ContentLinks.sample($0) })
            return .success(job)
        } catch {
            return .failure(error)
        }
    }

    /// Why a job whose time is known can never be sent then, if so.
    private func untimely(_ job: SendJob, _ message: AMQPDelivery) -> Rejection? {
        do throws(JobError) {
            try job.options.checkResolved()
        } catch {
            return Rejection(message, queue: queue, error: error, jobID: job.id)
        }
        guard let last = job.options.lastSendAt ?? job.options.sendAt, last >= clock.now + horizon else { return nil }
        return Rejection(
            message,
            queue: queue,
            hub: job.hub,
            reason: "outOfRange",
            path: "$.options.sendAt",
            jobID: job.id,
            detail: "The time to send is further ahead than this hub keeps notifications."
        )
    }

    private func unknownZone(_ job: SendJob, _ message: AMQPDelivery) -> Rejection {
        Rejection(
            message,
            queue: queue,
            hub: job.hub,
            reason: "unknownTimeZone",
            path: "$.options.timeZone",
            jobID: job.id,
            detail: "The database knows no time zone with this name."
        )
    }
}

extension SendJob {
    /// The job with the instants that its local time means; nil for an unknown zone.
    fileprivate func resolved(by moments: [LocalSchedule: ClosedRange<Timestamp>]) -> SendJob? {
        guard let local = options.local else { return self }
        return moments[local].map { resolved($0) }
    }
}
