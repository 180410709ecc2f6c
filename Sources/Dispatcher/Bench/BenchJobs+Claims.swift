import AMQP
import DispatchCore

extension BenchJobs {
    /// Jobs to one user each, as a wave takes them from the queue.
    static func wave(of count: Int, users: Int, hub: Hub, now: Timestamp) throws -> [WaveJob] {
        try (0..<count).map { _ in
            let audience = #"{"users":["u\#(Int.random(in: 0..<users))"]}"#
            return try job(audience, options: #""priority":"high""#, hub: hub, now: now)
        }
    }

    /// A job to a segment, an hour ahead.
    static func scheduled(hub: Hub, now: Timestamp) throws -> WaveJob {
        let time = (now + .seconds(3_600)).rfc3339
        return try job(#"{"tags":"segment:1"}"#, options: #""sendAt":"\#(time)""#, hub: hub, now: now)
    }

    private static func job(_ audience: String, options: String, hub: Hub, now: Timestamp) throws -> WaveJob {
        var generator = SystemDice()
        let id = UUIDValue.timeOrdered(at: now, using: &generator)
        let text = """
            {"id":"\(id)","hub":"\(hub.name)","to":\(audience),\
            "content":{"title":"Match update","body":"Goal! The score is now 3 to 2 after 63 minutes of play"},\
            "options":{\(options)}}
            """
        let message = AMQPDelivery(
            tag: DeliveryTag(value: 1, epoch: 1),
            body: Array(text.utf8),
            routingKey: "jobs.normal",
            exchange: "push.in",
            isRedelivered: false,
            properties: AMQPProperties()
        )
        return WaveJob(job: try decoded(text), hub: hub, message: message)
    }
}
