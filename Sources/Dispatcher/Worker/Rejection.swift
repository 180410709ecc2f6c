import AMQP
import DispatchCore

/// A message that can never become a notification: why, and where the mistake is.
struct Rejection: Sendable {
    let message: AMQPDelivery
    let queue: String
    let hub: String?
    let reason: String
    let path: String?
    let offset: Int?
    let detail: String

    init(
        _ message: AMQPDelivery,
        queue: String,
        hub: String? = nil,
        reason: String,
        path: String? = nil,
        offset: Int? = nil,
        detail: String
    ) {
        self.message = message
        self.queue = queue
        self.hub = hub
        self.reason = reason
        self.path = path
        self.offset = offset
        self.detail = detail
    }

    init(_ message: AMQPDelivery, queue: String, error: JobError) {
        self.init(
            message,
            queue: queue,
            reason: error.code.rawValue,
            path: error.path,
            offset: error.offset,
            detail: error.reason
        )
    }

    /// The same message delivered again is the same dead letter.
    var fingerprint: [UInt8] { message.fingerprint(queue: queue) }
}

extension AMQPDelivery {
    /// A digest of where the message was taken from and all that it says.
    func fingerprint(queue: String) -> [UInt8] {
        let identity = "\(queue)\u{0}\(properties.messageID ?? "")\u{0}"
        return SHA256Digest(of: Array(identity.utf8) + body).bytes
    }
}
