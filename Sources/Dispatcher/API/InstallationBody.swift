import DispatchCore
import HTTP

/// The body of a registration: the document of an installation, whose id and hub the request has told already.
struct InstallationBody {
    let installation: Installation

    init(_ body: [UInt8], id: String, caller: Caller) throws {
        let document = try JSONDocument(body)
        if let own = document.value["installationId"], own != .string(id) {
            throw Problem(
                .badRequest,
                "idMismatch",
                "The id is not the one of the path.",
                path: "$.installationId"
            )
        }
        try document.checkHub(caller)
        let value = document.with(["installationId": id, "hub": caller.hubName]).withoutFacts
        installation = try Installation(decoding: value)
    }
}

extension JSONValue {
    /// Without what only the hub knows: a document that was read may be written back.
    var withoutFacts: JSONValue {
        guard let members, members.contains(where: { $0.name == "lastSeenAt" }) else { return self }
        return .object(members.filter { $0.name != "lastSeenAt" })
    }
}
