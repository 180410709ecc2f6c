/// What a key allows; the raw value is what PostgreSQL stores.
struct AccessRights: OptionSet, Hashable, Sendable {
    let rawValue: Int16

    /// Register, read and remove single installations.
    static let listen = AccessRights(rawValue: 1)
    /// Send, ask about and cancel jobs.
    static let send = AccessRights(rawValue: 2)
    /// Search all installations, and everything that the other two allow.
    static let manage = AccessRights(rawValue: 4)

    private static let names: KeyValuePairs<String, AccessRights> = [
        "listen": .listen, "send": .send, "manage": .manage,
    ]

    /// Reads names separated by commas; nil when one is unknown or none is there.
    init?(names text: String) {
        var rights: AccessRights = []
        for name in text.split(separator: ",", omittingEmptySubsequences: false) {
            guard let right = Self.names.first(where: { $0.key == name }) else { return nil }
            rights.insert(right.value)
        }
        self = rights
    }

    init(rawValue: Int16) {
        self.rawValue = rawValue
    }

    /// The names, separated by commas.
    var description: String {
        Self.names.filter { contains($0.value) }.map(\.key).joined(separator: ",")
    }

    /// Whether it allows all of `needed`; who may manage may do everything.
    func allows(_ needed: AccessRights) -> Bool { contains(.manage) || isSuperset(of: needed) }
}
