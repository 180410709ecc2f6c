import DispatchCore
import HTTP

/// What a request reports: one receipt, or a list whose members are taken or refused each by itself.
struct ReceiptRequest: Sendable {
    /// A receipt, or why it is none.
    struct Entry: Sendable {
        /// The reporter's own id of it, as far as there is one.
        let id: String?

        /// Where it stands in the body.
        let path: String
        let receipt: Result<Receipt, Problem>
    }

    let isList: Bool
    let entries: [Entry]

    /// The most receipts of a list: what one transaction writes without keeping others waiting.
    static let limit = 500

    init(_ body: [UInt8], caller: Caller) throws {
        let document = try JSONDocument(body)
        guard let list = document.value["receipts"] else {
            isList = false
            entries = [Entry(document, caller: caller, path: "$")]
            return
        }
        isList = true
        try Self.check(list, of: document)
        entries = try Self.elements(list).enumerated().map { index, value in
            Entry(JSONDocument(value), caller: caller, path: "$.receipts[\(index)]")
        }
    }

    private static func check(_ list: JSONValue, of document: JSONDocument) throws(Problem) {
        if let other = document.value.members?.first(where: { $0.name != "receipts" }) {
            let path = "$." + other.name.prefix(40)
            throw Problem(.badRequest, "unknownMember", "Beside a list there is nothing else.", path: path)
        }
        guard try !elements(list).isEmpty else {
            throw Problem(.badRequest, "outOfRange", "Must not be empty.", path: "$.receipts")
        }
    }

    private static func elements(_ list: JSONValue) throws(Problem) -> [JSONValue] {
        guard case .array(let elements) = list else {
            throw Problem(.badRequest, "wrongType", "Must be an array, not \(list.kind).", path: "$.receipts")
        }
        guard elements.count <= limit else {
            let detail = "Has \(elements.count) elements; at most \(limit) are allowed."
            throw Problem(.badRequest, "tooMany", detail, path: "$.receipts")
        }
        return elements
    }
}

extension ReceiptRequest.Entry {
    fileprivate init(_ document: JSONDocument, caller: Caller, path: String) {
        do throws(Problem) {
            let receipt = try Self.receipt(document, caller: caller)
            self.init(id: receipt.id, path: path, receipt: .success(receipt))
        } catch {
            self.init(id: document.receiptID, path: path, receipt: .failure(error.within(path)))
        }
    }

    /// A device reports for itself, so it need not say who it is, and may not say that it is another.
    private static func receipt(_ document: JSONDocument, caller: Caller) throws(Problem) -> Receipt {
        guard document.value.members != nil else {
            throw Problem(.badRequest, "wrongType", "Must be an object, not \(document.value.kind).", path: "$")
        }
        try document.checkHub(caller)
        var known: KeyValuePairs = ["hub": caller.hubName]
        if let device = caller.device {
            known = ["hub": caller.hubName, "installationId": device.installationID]
            try checkIsItself(document, caller)
        }
        var value = document.with(known)
        if let id = document.receiptID { value = JSONDocument(value).with(["id": id]) }
        do throws(JobError) {
            return try Receipt(decoding: value)
        } catch {
            throw Problem(error)
        }
    }
}

extension ReceiptRequest.Entry {
    /// By bytes, as the database compares: what only looks like the device's id is another.
    private static func checkIsItself(_ document: JSONDocument, _ caller: Caller) throws(Problem) {
        guard case .string(let id)? = document.value["installationId"] else { return }
        do throws(Problem) {
            try caller.checkMayTouch(installation: id)
        } catch {
            var problem = error
            problem.path = "$.installationId"
            throw problem
        }
    }
}

extension JSONDocument {
    /// The id that it has; or its kind for those that say nothing more, so that the first of them counts.
    fileprivate var receiptID: String? {
        if let id = value["id"] {
            guard case .string(let text) = id, (1...ReceiptLimits.nameBytes).contains(text.utf8.count) else {
                return nil
            }
            return text
        }
        guard case .string(let kind)? = value["kind"] else { return nil }
        return ["fetched", "displayed", "read", "dismissed"].contains(kind) ? kind : nil
    }
}

extension Problem {
    /// The same, seen from the document whose part at `path` it is about.
    func within(_ path: String) -> Problem {
        var problem = self
        problem.path = path + (self.path ?? "$").dropFirst()
        return problem
    }
}
