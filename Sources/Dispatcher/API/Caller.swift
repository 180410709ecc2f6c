import DispatchCore

/// Who sends a request, as far as it has proved.
struct Caller: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
        /// A service with a key.
        case key(AccessRights)
        /// A device.
        case device(Device)
    }

    /// A device that has shown its secret.
    struct Device: Sendable, Equatable {
        /// What apps call it.
        let installationID: String
        let key: InstallationKey

        /// Who uses it, if anybody has said.
        let userID: String?
    }

    let hub: Int32
    let hubName: String
    let kind: Kind

    /// Refuses a device that is about another installation, whether that exists or not.
    func checkMayTouch(installation id: String) throws(Problem) {
        guard let device else { return }
        guard device.installationID.utf8.elementsEqual(id.utf8) else {
            throw .forbidden("A device may only touch its own installation.")
        }
    }

    /// The device; nil for a key.
    var device: Device? {
        if case .device(let device) = kind { device } else { nil }
    }
}
