import Testing

@testable import DispatchCore

/// Renders a content and options that are written as a job has them.
struct RenderedExample {
    let platform: Platform

    func push(_ content: String, _ options: String = "{}", category: String? = nil) throws -> PreparedPush {
        try push(.neutral(Content(decoding: JSONParser.parse(Array(content.utf8)))), options, category: category)
    }

    func native(_ payload: JSONValue, _ options: String = "{}") throws -> PreparedPush {
        try push(.native([platform: payload]), options)
    }

    private func push(_ content: JobContent, _ json: String, category: String? = nil) throws -> PreparedPush {
        let options = try SendOptions(decoding: JSONParser.parse(Array(json.utf8)))
        let expiry = options.expiry(acceptedAt: PushExample.now)
        var context = RenderContext(
            options: PushOptions(notification: PushExample.job, options: options, expiresAt: expiry),
            now: PushExample.now
        )
        context.category = try category.map { try ActionCategory(decoding: JSONParser.parse(Array($0.utf8))) }
        return try PushRenderer.prepare(content, for: platform, in: context)
    }
}
