import AMQP
import Crypto
import DispatchCore
import HTTP

/// The body of a send request: the document of a job, whose hub is the key's and whose id may be left to the hub.
struct JobBody: Sendable {
    private(set) var job: SendJob

    /// What is published and stored: the body as it came, unless something had to be added.
    let bytes: [UInt8]

    /// Whether the sender has given the id, so that it may come again.
    let hasOwnID: Bool

    /// A job that is to be published.
    init(_ body: [UInt8], caller: Caller, rules: JobRules) throws {
        let document = try JSONDocument(body)
        var generator = SystemDice()
        let newID = UUIDValue.timeOrdered(at: rules.now, using: &generator)
        try self.init(document, body, id: newID, caller: caller, rules: rules)
    }

    /// A job that takes the place of the one that the path names.
    init(_ body: [UInt8], replacing id: UUIDValue, caller: Caller, rules: JobRules) throws {
        let document = try JSONDocument(body)
        try self.init(document, body, id: id, caller: caller, rules: rules)
        guard job.id == id else {
            throw Problem(.badRequest, "idMismatch", "The id is not the one of the path.", path: "$.id")
        }
    }

    private init(
        _ document: JSONDocument,
        _ body: [UInt8],
        id: UUIDValue,
        caller: Caller,
        rules: JobRules
    ) throws {
        try document.checkHub(caller)
        let value = document.with(["id": id.description, "hub": caller.hubName])
        job = try SendJob(decoding: value, messageID: nil)
        try job.checkSendable(now: rules.now, contentURL: rules.contentURL)
        try job.checkHorizon(rules)
        bytes = value == document.value ? body : JSONWriter.encode(value)
        hasOwnID = document.value["id"] != nil
    }

    /// The same with the instants that its local time means.
    func resolved(by times: LocalTimeStore, rules: JobRules) async throws -> JobBody {
        guard job.options.local != nil else { return self }
        guard let resolved = try await times.resolve(job) else {
            let detail = "The database knows no time zone with this name."
            throw Problem(.unprocessableContent, "unknownTimeZone", detail, path: "$.options.timeZone")
        }
        try resolved.options.checkResolved()
        try resolved.checkHorizon(rules)
        var body = self
        body.job = resolved
        return body
    }

    var message: AMQPMessage {
        IntakeExchange.job(job.id, lane: job.usualLane, body: bytes)
    }

    /// A digest by which the same body is known again.
    var hash: [UInt8] {
        get throws { try SHA256.digest(of: bytes) }
    }
}

extension SendJob {
    /// The worker has the same rule; here somebody still hears of it.
    fileprivate func checkHorizon(_ rules: JobRules) throws(Problem) {
        guard let last = options.lastSendAt ?? options.sendAt, last >= rules.now + rules.horizon else { return }
        let detail = "The time to send is further ahead than this hub keeps notifications."
        throw Problem(.unprocessableContent, "outOfRange", detail, path: "$.options.sendAt")
    }
}
