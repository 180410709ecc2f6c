import DispatchCore
import HTTP

extension APIService {
    /// All categories of the hub in one answer, as an app registers them at launch.
    func listCategories(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        let documents = try await categories(request).all()
        var writer = JSONWriter(capacity: 32 + documents.reduce(0) { $0 + $1.count + 1 })
        writer.beginObject()
        writer.key("categories")
        writer.beginArray()
        for document in documents { writer.raw(document) }
        writer.endArray()
        writer.endObject()
        return try request.answer(writer.bytes)
    }

    func readCategory(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        guard let document = try await categories(request).read(request.categoryID()) else { throw Problem.noCategory }
        return try request.answer(document)
    }

    /// Declares or replaces.
    func putCategory(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try request.requireContentType("application/json")
        let category = try CategoryBody(request.http.bytes, id: request.categoryID()).category
        let isNew = try await categories(request).put(category) { current in
            try request.checkConditions(tag: current.map { EntityTag(of: $0) })
        }
        let document = category.json
        var response = HTTPResponse.json(isNew ? .created : .ok, document)
        response.add("ETag", EntityTag(of: document).field)
        return response
    }

    /// Removes it; when it is gone already that is as good.
    func deleteCategory(_ request: APIRequest) async throws -> HTTPResponse {
        try request.checkQuery()
        try await categories(request).delete(request.categoryID()) { current in
            try request.checkConditions(tag: current.map { EntityTag(of: $0) })
        }
        return HTTPResponse(.noContent)
    }

    private func categories(_ request: APIRequest) throws(Problem) -> CategoryStore {
        CategoryStore(pool: pool, hub: try request.caller.hub)
    }
}

extension APIRequest {
    /// The category that the path names.
    fileprivate func categoryID() throws(Problem) -> String {
        try pathID(upTo: CategoryLimits.nameBytes, else: "This is no id of a category.", IdentifierRules.isCategoryID)
    }

    /// The document, or that the client has it already.
    fileprivate func answer(_ document: [UInt8]) throws(Problem) -> HTTPResponse {
        try answer(tag: EntityTag(of: document)) { .json(.ok, document) }
    }
}

extension EntityTag {
    /// By the content itself: the same bytes have the same tag, whatever happened in between.
    fileprivate init(of document: [UInt8]) {
        self.init(SHA256Digest(of: document).base64URL)
    }
}

extension Problem {
    fileprivate static let noCategory = Problem(.notFound, "notFound", "There is no such category.")
}
