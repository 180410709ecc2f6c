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
        let longest = IdentifierRules.greatestLength
        user = try target.text("user", upTo: longest, else: "This is no user's id.", IdentifierRules.isUserID)
        tags = try target.text("tags", upTo: Self.longestExpression, else: "This is no expression.")
            .map { text throws(Problem) in try Self.expression(text) }
        if let text = target.firstQueryValue("platform") {
            guard let found = Platform.allCases.first(where: { $0.name == text }) else {
                throw Self.wrong("platform", "This is no platform.")
            }
            platform = found
        }
        let isID = IdentifierRules.isInstallationID
        after = try target.text("after", upTo: longest, else: "This is no installation id.", isID)
        if let number = try target.number("limit", upTo: Self.greatestLimit) { limit = number }
    }

    /// A request line has not room for many more.
    private static let longestExpression = 4096

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
