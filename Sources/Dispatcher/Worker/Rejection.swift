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

    /// The job's id where the worker has read it, which may stand in the body only.
    let jobID: UUIDValue?

    /// The same message delivered again is the same dead letter.
    let fingerprint: [UInt8]

    /// Whether the message could not be kept as it was, so that its fingerprint has to be kept beside it.
    let isCut: Bool

    /// Both name what somebody sent, which may be long; they have to fit into one header.
    private static let pathLimit = 1024
    private static let detailLimit = 2048

    init(
        _ message: AMQPDelivery,
        queue: String,
        hub: String? = nil,
        reason: String,
        path: String? = nil,
        offset: Int? = nil,
        jobID: UUIDValue? = nil,
        detail: String,
        fingerprint: [UInt8]? = nil
    ) {
        self.message = message
        self.queue = queue
        self.hub = hub
        self.reason = reason
        self.path = path?.shortened(to: Self.pathLimit)
        self.offset = offset
        self.detail = detail.shortened(to: Self.detailLimit)
        self.jobID = jobID
        self.fingerprint = fingerprint ?? message.fingerprint(queue: queue)
        isCut = fingerprint != nil
    }

    init(_ message: AMQPDelivery, queue: String, error: JobError, jobID: UUIDValue? = nil) {
        self.init(
            message,
            queue: queue,
            reason: error.code.rawValue,
            path: error.path,
            offset: error.offset,
            jobID: jobID,
            detail: error.reason
        )
    }
}

extension Rejection {
    /// By what its sender knows it.
    var shownID: String? { message.properties.messageID.flatMap { $0.isEmpty ? nil : $0 } ?? jobID?.description }
}

extension String {
    /// Its beginning, with an ellipsis where something is missing; `limit` counts UTF-8.
    fileprivate func shortened(to limit: Int) -> String {
        guard utf8.count > limit else { return self }
        var scalars = String.UnicodeScalarView()
        var count = 3
        for scalar in unicodeScalars {
            count += UTF8.width(scalar)
            if count > limit { break }
            scalars.append(scalar)
        }
        return String(scalars) + "…"
    }
}

extension AMQPDelivery {
    /// A digest of where the message was taken from and all that it says.
    func fingerprint(queue: String) -> [UInt8] {
        let identity = "\(queue)\u{0}\(properties.messageID ?? "")\u{0}"
        return SHA256Digest(of: Array(identity.utf8) + body).bytes
    }
}
