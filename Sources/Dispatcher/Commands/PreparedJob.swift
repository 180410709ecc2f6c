import AMQP
import DispatchCore

/// A checked job, ready to be published.
struct PreparedJob: Sendable {
    let id: UUIDValue
    let message: AMQPMessage

    /// Checks the job and gives it an id when it has none.
    init(_ line: NumberedLine, lane: Lane?) throws {
        do throws(JobError) {
            let job = try Self.decode(line.bytes)
            // Only the workers know whether the hub has an address.
            try job.checkSendable(now: DatabaseClock().now, contentURL: "https://example.com/api/notifications")
            id = job.id
            message = IntakeExchange.job(job.id, lane: lane ?? job.usualLane, body: line.bytes)
        } catch {
            throw CommandFailure("line \(line.number): \(error.path): \(error.reason)")
        }
    }

    private static func decode(_ body: [UInt8]) throws(JobError) -> SendJob {
        do {
            return try SendJob(decoding: body, messageID: nil)
        } catch  where error.code == .missingMember && error.path == "$.id" {
            var generator = SystemDice()
            let id = UUIDValue.timeOrdered(at: DatabaseClock().now, using: &generator)
            return try SendJob(decoding: body, messageID: id.description)
        }
    }
}

extension SendJob {
    /// Where a job goes whose sender does not say: urgent ones apart, broadcasts and low priority behind the rest.
    var usualLane: Lane {
        switch (options.priority, audience) {
        case (.high, _): .high
        case (.low, _), (_, .broadcast): .bulk
        default: .normal
        }
    }
}
