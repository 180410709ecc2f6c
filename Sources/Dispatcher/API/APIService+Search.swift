import DispatchCore
import HTTP

extension APIService {
    /// The installations of the hub, page by page.
    func listInstallations(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery("user", "tags", "platform", "limit", "after")
        let caller = try request.caller
        let search = try InstallationSearch(request.http.target)
        let (page, hasMore) = try await search.page(pool, hub: caller.hub, hubName: caller.hubName)
        return .json(.ok, Self.list(page, next: hasMore ? page.last?.installation.id : nil))
    }

    private static func list(_ page: [StoredInstallation], next: String?) -> [UInt8] {
        var writer = JSONWriter(capacity: 64 + page.count * 256)
        writer.beginObject()
        writer.key("installations")
        writer.array(page.map(\.installation.document))
        if let next {
            writer.key("next")
            writer.string(next)
        }
        writer.endObject()
        return writer.bytes
    }
}

extension InstallationSearch {
    init(_ target: HTTPTarget) throws(Problem) {
        if let text = target.firstQueryValue("user") {
            guard IdentifierRules.isUserID(text) else { throw Self.wrong("user", "This is no user's id.") }
            user = text
        }
        if let text = target.firstQueryValue("tags") { tags = try Self.expression(text) }
        if let text = target.firstQueryValue("platform") {
            guard let found = Platform.allCases.first(where: { $0.name == text }) else {
                throw Self.wrong("platform", "This is no platform.")
            }
            platform = found
        }
        if let text = target.firstQueryValue("after") {
            guard IdentifierRules.isInstallationID(text) else {
                throw Self.wrong("after", "This is no installation id.")
            }
            after = text
        }
        if let text = target.firstQueryValue("limit") {
            guard let number = Int(text), (1...Self.greatestLimit).contains(number) else {
                throw Self.wrong("limit", "Must be from 1 to \(Self.greatestLimit).")
            }
            limit = number
        }
    }

    private static func expression(_ text: String) throws(Problem) -> TagExpression {
        do throws(TagExpressionError) {
            return try TagExpression(parsing: text)
        } catch {
            let detail = "The tag expression cannot be read: expected \(error.expected)."
            throw Problem(.badRequest, "badExpression", detail, path: "tags", offset: error.offset)
        }
    }

    private static func wrong(_ parameter: String, _ detail: String) -> Problem {
        Problem(.badRequest, "invalidFormat", detail, path: parameter)
    }
}
