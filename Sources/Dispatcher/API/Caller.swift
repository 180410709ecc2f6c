/// Who sends a request, as far as it has proved.
struct Caller: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A service with a key.
        case key(AccessRights)
        /// The device with this installation id.
        case device(String)
    }

    let hub: Int32
    let hubName: String
    let kind: Kind

    /// Refuses a device that is about another installation, whether that exists or not.
    func checkMayTouch(installation id: String) throws(Problem) {
        guard case .device(let own) = kind else { return }
        guard own.utf8.elementsEqual(id.utf8) else { throw .forbidden("A device may only touch its own installation.") }
    }

    /// The id of the device; nil for a key.
    var device: String? {
        if case .device(let id) = kind { id } else { nil }
    }
}
