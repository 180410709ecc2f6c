import AMQP
import DispatchCore

/// Reads the messages of a wave: the valid jobs, and a named reason for each of the others.
struct JobDecoder: Sendable {
    let queue: String
    let hubs: HubDirectory

    /// How far ahead a job may ask to be sent: its rows belong to the day it came, which goes with the retention.
    let horizon: Duration
    let clock: DatabaseClock
    let lane: Lane
    let erasures: ErasureWatch

    /// The worker's address for devices, if it has one.
    let publicAddress: PublicAddress?

    struct Decoded: Sendable {
        var jobs: [WaveJob] = []
        var rejections: [Rejection] = []
    }

    func decode(_ messages: [AMQPDelivery]) async throws -> Decoded {
        var decoded = Decoded()
        decoded.jobs.reserveCapacity(messages.count)
        for message in messages {
            switch parse(message) {
            case .failure(let error):
                decoded.rejections.append(Rejection(message, queue: queue, error: error))
            case .success(let job):
                guard job.options.sendAt.map({ $0 < clock.now + horizon }) ?? true else {
                    decoded.rejections.append(beyondHorizon(job.hub, message))
                    continue
                }
                guard let hub = try await hubs.hub(named: job.hub) else {
                    decoded.rejections.append(.unknownHub(job.hub, message, queue: queue))
                    continue
                }
                let trace = erasures.trace(of: job, body: message.body, hub: hub.id, lane: lane)
                decoded.jobs.append(WaveJob(job: job, hub: hub, message: message, trace: trace))
            }
        }
        return decoded
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

    private func beyondHorizon(_ hub: String, _ message: AMQPDelivery) -> Rejection {
        Rejection(
            message,
            queue: queue,
            hub: hub,
            reason: "outOfRange",
            path: "$.options.sendAt",
            detail: "The time to send is further ahead than this hub keeps notifications."
        )
    }
}
