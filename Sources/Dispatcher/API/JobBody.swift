import AMQP
import DispatchCore
import HTTP

/// The body of a send request: the document of a job, whose hub is the key's and whose id may be left to the hub.
struct JobBody {
    let id: UUIDValue
    let message: AMQPMessage

    init(_ body: [UInt8], caller: Caller, now: Timestamp, horizon: Duration) throws {
        let document = try JSONDocument(body)
        try document.checkHub(caller)
        var generator = SystemRandomNumberGenerator()
        let newID = UUIDValue.timeOrdered(at: now, using: &generator)
        let value = document.with(["id": newID.description, "hub": caller.hubName])
        let job = try SendJob(decoding: value, messageID: nil)
        try job.checkSendable(now: now)
        // The worker has the same rule; here somebody still hears of it.
        guard job.options.sendAt.map({ $0 < now + horizon }) ?? true else {
            let detail = "The time to send is further ahead than this hub keeps notifications."
            throw Problem(.unprocessableContent, "outOfRange", detail, path: "$.options.sendAt")
        }
        id = job.id
        message = AMQPMessage(
            exchange: "push.in",
            routingKey: job.usualLane.jobsRoutingKey,
            body: value == document.value ? body : JSONWriter.encode(value),
            properties: AMQPProperties(contentType: "application/json", messageID: job.id.description)
        )
    }
}
