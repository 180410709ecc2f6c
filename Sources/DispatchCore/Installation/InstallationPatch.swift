/// A change of an installation as JSON Patch (RFC 6902), of which all or nothing is done.
///
/// It takes what Azure's clients send as well: one tag as the value of `add /tags`, a tag's name at the end of
/// `/tags/…`, and a template as a string that holds its JSON.
public struct InstallationPatch: Hashable, Sendable {
    /// More operations than there is to change are a mistake.
    public static let operationLimit = 100

    /// The operations in their order.
    public let operations: [InstallationPatchOperation]

    /// Reads the body of a request; an error's path begins at the array.
    public init(decoding body: [UInt8]) throws(JobError) {
        operations = try JSONValue.body(body).list(limit: Self.operationLimit) { (value) throws(JobError) in
            try InstallationPatchOperation(decoding: value)
        }
    }

    /// The installation with all operations done, in the same hub.
    public func applied(to installation: Installation) throws(InstallationPatchError) -> Installation {
        var document = installation.document
        // What is empty is not in the document, but can be added to.
        document.provide("tags", .array([]))
        document.provide("templates", .object([]))
        for (index, operation) in operations.enumerated() {
            try operation.apply(to: &document, index: index)
        }
        document.drop("templates", when: .object([]))
        return try Self.read(document, hub: installation.hub)
    }

    private static func read(_ document: JSONValue, hub: String) throws(InstallationPatchError) -> Installation {
        var document = document
        document.provide("hub", .string(hub))
        do {
            return try Installation(decoding: document)
        } catch {
            throw .invalid(error)
        }
    }
}

extension JSONValue {
    /// Adds a member that is missing.
    fileprivate mutating func provide(_ name: String, _ value: JSONValue) {
        guard case .object(let members) = self, self[name] == nil else { return }
        self = .object(members + [JSONMember(name: name, value: value)])
    }

    /// Takes a member away that has this value.
    fileprivate mutating func drop(_ name: String, when value: JSONValue) {
        guard case .object(let members) = self, self[name] == value else { return }
        self = .object(members.filter { $0.name != name })
    }
}
