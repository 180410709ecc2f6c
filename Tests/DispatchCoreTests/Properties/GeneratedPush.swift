import Testing

@testable import DispatchCore

/// A generated job with the context that it is rendered in.
struct GeneratedPush {
    let job: SendJob
    let document: JSONValue
    var context: RenderContext

    /// Generated from `seed`; a document that does not decode is a failure of generator or decoder.
    init(seed: UInt64, _ make: (inout DocumentGenerator) -> JSONMember) throws {
        var generator = DocumentGenerator(seed: seed)
        let payload = make(&generator)
        let document = generator.job(payload)
        self.document = document
        do throws(JobError) {
            job = try SendJob(decoding: document, messageID: nil)
        } catch {
            throw Undecodable(error: error, text: String(decoding: JSONWriter.encode(document), as: UTF8.self))
        }
        let expiry = job.options.expiry(acceptedAt: PushExample.now)
        context = RenderContext(
            options: PushOptions(notification: job.id, options: job.options, expiresAt: expiry),
            now: PushExample.now,
            unread: generator.chance(50) ? generator.dice.below(100) : nil,
            locale: generator.chance(50) ? generator.locale() : nil,
            category: generator.chance(50) ? try ActionCategory(decoding: generator.category()) : nil
        )
    }

    /// A job with neutral content.
    static func neutral(seed: UInt64) throws -> GeneratedPush {
        try GeneratedPush(seed: seed) { JSONMember(name: "content", value: $0.content()) }
    }

    func rendered(for platform: Platform) -> Result<PreparedPush, RenderError> {
        Result { () throws(RenderError) in try PushRenderer.prepare(job.content, for: platform, in: context) }
    }

    /// The neutral content; generated jobs of `neutral` have nothing else.
    var content: Content {
        guard case .neutral(let content) = job.content else { return Content() }
        return content
    }

    /// The same job with another content.
    func rendered(_ content: Content, for platform: Platform) -> Result<PreparedPush, RenderError> {
        Result { () throws(RenderError) in try PushRenderer.prepare(.neutral(content), for: platform, in: context) }
    }

    struct Undecodable: Error, CustomStringConvertible {
        let error: JobError
        let text: String
        var description: String { "\(error) in \(text)" }
    }
}

/// How many cases a property is tried on: `DISPATCHER_PROPERTY_COUNT`, else few enough for every run.
enum PropertyCount {
    static let seeds: Range<UInt64> = {
        let count = environmentNumber("DISPATCHER_PROPERTY_COUNT") ?? 60
        let start = environmentNumber("DISPATCHER_PROPERTY_SEED") ?? 1
        return start..<(start + count)
    }()
}
