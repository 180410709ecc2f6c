import DispatchCore
import HTTP

/// The JSON object that a request brings.
struct JSONDocument {
    let value: JSONValue

    /// Takes a part of a document.
    init(_ value: JSONValue) {
        self.value = value
    }

    init(_ body: [UInt8], limits: JSONLimits = .standard) throws(Problem) {
        do throws(JSONError) {
            value = try JSONParser.parse(body, limits: limits)
        } catch {
            let detail = "The body is not acceptable JSON: \(error.code.rawValue), expected \(error.expected)."
            throw Problem(.badRequest, "invalidJSON", detail, path: "$", offset: error.offset)
        }
        guard value.members != nil else {
            throw Problem(.badRequest, "wrongType", "Must be an object, not \(value.kind).", path: "$")
        }
    }

    /// Refuses the name of another hub, whether there is one or not.
    func checkHub(_ caller: Caller) throws(Problem) {
        guard let hub = value["hub"], hub != .string(caller.hubName) else { return }
        throw Problem(.forbidden, "otherHub", "The key is for another hub.", path: "$.hub")
    }

    /// The document with members that are missing.
    func with(_ members: KeyValuePairs<String, String>) -> JSONValue {
        let missing = members.filter { value[$0.key] == nil }
        guard !missing.isEmpty else { return value }
        return .object((value.members ?? []) + missing.map { JSONMember(name: $0.key, value: .string($0.value)) })
    }
}
