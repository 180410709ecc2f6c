import DispatchCore
import HTTP

/// The body of a declaration: the document of a category, whose id the request has told already.
struct CategoryBody {
    let category: ActionCategory

    init(_ body: [UInt8], id: String) throws {
        let document = try JSONDocument(body)
        if let own = document.value["id"]?.string, !own.hasSameBytes(as: id) {
            throw Problem(.badRequest, "idMismatch", "The id is not the one of the path.", path: "$.id")
        }
        category = try ActionCategory(decoding: document.with(["id": id]))
    }
}
