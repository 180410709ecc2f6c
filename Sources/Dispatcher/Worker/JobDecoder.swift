import AMQP
import DispatchCore

/// Reads the messages of a wave: the valid jobs, and a named reason for each of the others.
struct JobDecoder: Sendable {
    let queue: String
    let hubs: HubDirectory

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
                guard let hub = try await hubs.hub(named: job.hub) else {
                    decoded.rejections.append(unknownHub(job.hub, message))
                    continue
                }
                decoded.jobs.append(WaveJob(job: job, hub: hub, message: message))
            }
        }
        return decoded
    }

    private func parse(_ message: AMQPDelivery) -> Result<SendJob, JobError> {
        CrashHook.check(message.body)
        do throws(JobError) {
            return .success(try SendJob(decoding: message.body, messageID: message.properties.messageID))
        } catch {
            return .failure(error)
        }
    }

    private func unknownHub(_ name: String, _ message: AMQPDelivery) -> Rejection {
        Rejection(
            message,
            queue: queue,
            hub: name,
            reason: "unknownHub",
            path: "$.hub",
            detail: "There is no hub with this name."
        )
    }
}
