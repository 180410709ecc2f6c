import DispatchCore
import Testing

/// Every decoder and renderer in a row; each refusal must be one of its own named errors.
struct FuzzGauntlet {
    private(set) var counts = FuzzCounts()

    /// What is wrong with how an input was answered, if anything is.
    private(set) var complaint: String?

    mutating func run(_ input: FuzzInput) {
        complaint = nil
        parseExpression(input)
        guard let document = parse(input) else { return }
        decodeJob(document, input)
        decodeInstallation(document, input)
        decodeCategory(document, input)
        decodeReceipt(document, input)
        FuzzTemplates.run(document, input, counts: &counts) { complaint = $0 }
    }

    private mutating func parse(_ input: FuzzInput) -> JSONValue? {
        do throws(JSONError) {
            let document = try JSONParser.parse(input.bytes)
            counts.count("parse \(input.kind.rawValue)", isAccepted: true)
            if try JSONParser.parse(JSONWriter.encode(document)) != document {
                complaint = "what is written does not read back"
            }
            return document
        } catch {
            counts.refuse("parse \(input.kind.rawValue)", code: error.code.rawValue)
            if error.offset < 0 || error.offset > input.bytes.count { complaint = "the offset is outside" }
            return nil
        }
    }

    private mutating func parseExpression(_ input: FuzzInput) {
        guard input.kind == .expression else { return }
        let text = String(decoding: input.bytes, as: UTF8.self)
        do throws(TagExpressionError) {
            let expression = try TagExpression(parsing: text)
            counts.count("expression", isAccepted: true)
            if (try? TagExpression(parsing: expression.description)) != expression {
                complaint = "it does not read back"
            }
        } catch {
            counts.refuse("expression", code: error.code.rawValue)
            if input.isIntact { complaint = "an expression as it is printed is refused: \(error)" }
        }
    }

    private mutating func decodeJob(_ document: JSONValue, _ input: FuzzInput) {
        guard
            let job = decode(
                "job",
                document,
                input,
                { (document) throws(JobError) in
                    try SendJob(decoding: document, messageID: nil)
                }
            )
        else { return }
        do throws(JobError) {
            try job.checkSendable(now: PushExample.now)
            counts.count("sendable", isAccepted: true)
        } catch {
            counts.refuse("sendable", code: error.code.rawValue)
            if error.code != .unsendable || error.reason.isEmpty { complaint = "unsendable without a reason: \(error)" }
        }
        for platform in Platform.allCases { render(job, for: platform) }
        FuzzTemplates.render(job, counts: &counts) { complaint = $0 }
    }

    private mutating func render(_ job: SendJob, for platform: Platform) {
        let stage = "render \(platform.name)"
        let expiry = job.options.expiry(acceptedAt: PushExample.now)
        let options = PushOptions(notification: job.id, options: job.options, expiresAt: expiry)
        let context = RenderContext(options: options, now: PushExample.now, unread: 3, locale: "pt-BR")
        do throws(RenderError) {
            let push = try PushRenderer.prepare(job.content, for: platform, in: context)
            counts.count(stage, isAccepted: true)
            if let objection = Self.objection(to: push) { complaint = objection }
        } catch {
            counts.refuse(stage, code: error.code.rawValue)
            if error.reason.isEmpty { complaint = "refused without a reason" }
        }
    }

    /// What is wrong with a push that was made, if anything is.
    static func objection(to push: PreparedPush) -> String? {
        let request = push.request()
        let bytes = push.body(channel: request.channel).count
        if push.size > push.limit || bytes < push.size { return "\(push.platform.name): \(push.size) bytes" }
        let headers = request.headers(now: PushExample.now)
        return headers.allSatisfy { WireForms.isFieldValue($0.value) } ? nil : "a header with control characters"
    }

    private mutating func decodeInstallation(_ document: JSONValue, _ input: FuzzInput) {
        _ = decode("installation", document, input) { (document) throws(JobError) in
            try Installation(decoding: document)
        }
    }

    private mutating func decodeCategory(_ document: JSONValue, _ input: FuzzInput) {
        let category = decode("category", document, input) { (document) throws(JobError) in
            try ActionCategory(decoding: document)
        }
        guard let category, (try? ActionCategory(decoding: category.json)) != category else { return }
        complaint = "the category does not read back"
    }

    private mutating func decodeReceipt(_ document: JSONValue, _ input: FuzzInput) {
        let receipt = decode("receipt", document, input) { (document) throws(JobError) in
            try Receipt(decoding: document)
        }
        guard let receipt, (try? Receipt(decoding: receipt.json)) != receipt else { return }
        complaint = "the receipt does not read back"
    }

    /// Counts only what was meant to be such a document; the others are decoded all the same.
    private mutating func decode<Value>(
        _ stage: String,
        _ document: JSONValue,
        _ input: FuzzInput,
        _ decode: (JSONValue) throws(JobError) -> Value
    ) -> Value? {
        do throws(JobError) {
            let value = try decode(document)
            if input.kind.rawValue == stage { counts.count(stage, isAccepted: true) }
            return value
        } catch {
            if input.kind.rawValue == stage {
                counts.refuse(stage, code: error.code.rawValue)
                if input.isIntact { complaint = "an intact \(stage) is refused: \(error)" }
            }
            if error.reason.isEmpty || error.path.isEmpty { complaint = "refused without a reason: \(error)" }
            return nil
        }
    }
}
