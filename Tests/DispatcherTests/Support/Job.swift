import AMQP
import Foundation

@testable import Dispatcher

/// A job to publish: a body, and the id under which the views will show it.
struct Job: Sendable {
    let id: String
    var body: [UInt8]
    var messageID: String?

    /// A job made of its members; each is a JSON text.
    init(
        to audience: String,
        content: String = #"{"title":"Hello","body":"World"}"#,
        kind: String = "content",
        options: String = "{}",
        id: String = UUID().uuidString.lowercased()
    ) {
        self.id = id
        body = Array(#"{"id":"\#(id)","to":\#(audience),"\#(kind)":\#(content),"options":\#(options)}"#.utf8)
    }

    /// A body that is probably no job.
    init(raw body: [UInt8], messageID: String? = nil) {
        id = messageID ?? ""
        self.body = body
        self.messageID = messageID
    }

    func message(_ lane: Lane) -> AMQPMessage {
        let properties = AMQPProperties(contentType: "application/json", messageID: messageID)
        return AMQPMessage(exchange: "push.in", routingKey: lane.jobsRoutingKey, body: body, properties: properties)
    }
}
