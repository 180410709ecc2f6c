import Crypto
import DispatchCore
import HTTP

/// Finds out who sends a request.
struct Authenticator: Sendable {
    let store: AccessStore
    let clock: DatabaseClock
    let failures: FailureLimit

    /// Verified instead of an unknown key's, so that an unknown key takes as long as a wrong signature.
    private static let nobodysSecret = String(repeating: "0", count: 44)

    /// Who it is.
    ///
    /// - Throws: the same `Problem` for everything that is wrong, or one for an address that fails too often.
    func caller(of head: HTTPRequestHead) async throws -> Caller {
        try failures.checkMayTry(head.peer, now: .now)
        let credential = head.headers.bytes(of: "Authorization").flatMap { Credential($0) }
        let caller: Caller? =
            switch credential {
            case .signature(let token): try await service(token, head)
            case .device(let secret, let installation): try await device(secret, installation)
            case nil: nil
            }
        guard let caller else { throw failures.refusal(of: head.peer, now: .now) }
        return caller
    }

    private func service(_ token: SharedAccessSignature, _ head: HTTPRequestHead) async throws -> Caller? {
        let key = try await store.key(named: token.keyName)
        // Everything is looked at, whatever was found wrong before: the time tells nothing.
        let isPrimary = try token.isSigned(with: key?.primarySecret ?? Self.nobodysSecret)
        let isSecondary = try token.isSigned(with: key?.secondarySecret ?? Self.nobodysSecret)
        let isCovered = SignedResource(token.plainResource)?.covers(head) ?? false
        let isCurrent = token.expiry > clock.now
        guard let key, isPrimary || isSecondary, isCovered, isCurrent else { return nil }
        return Caller(hub: key.hub, hubName: key.hubName, kind: .key(key.rights))
    }

    /// The secret is found by its digest, whose index tells nothing of the secret.
    private func device(_ secret: [UInt8], _ installation: [UInt8]?) async throws -> Caller? {
        let caller = try await store.device(secretHash: try SHA256.digest(of: secret))
        guard let device = caller?.device else { return nil }
        let isNamed = installation.map { ConstantTime.areEqual($0, Array(device.installationID.utf8)) } ?? true
        return isNamed ? caller : nil
    }
}
