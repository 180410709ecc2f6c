import Crypto
import DispatchCore

/// Who was erased, by digests alone, and in which queues something of them may still stand.
struct Tombstones: Sendable {
    /// What a name names; the raw value is part of the digest.
    enum Kind: Int16, Sendable {
        case user = 1
        case installation = 2
        case channel = 3
    }

    /// Which tombstones count.
    enum Scope: Sendable {
        /// All of them.
        case any
        /// Those whose marker was not met in the queue.
        case unmarked(MarkedQueue)
    }

    private let salt: [UInt8]

    /// The queues that each name awaits, by the hub and the digest.
    private var stones: [Int32: [[UInt8]: Int16]] = [:]

    init(salt: [UInt8] = []) {
        self.salt = salt
    }

    var isEmpty: Bool { stones.isEmpty }

    /// Whether anybody of the hub was erased.
    func concerns(_ hub: Int32) -> Bool { stones[hub] != nil }

    mutating func add(_ digest: [UInt8], hub: Int32, awaits: Int16) {
        stones[hub, default: [:]][digest, default: 0] |= awaits
    }

    func contain(_ kind: Kind, _ name: String, hub: Int32, _ scope: Scope) -> Bool {
        guard let known = stones[hub], let awaits = digest(kind, name, hub: hub).flatMap({ known[$0] }) else {
            return false
        }
        switch scope {
        case .any: return true
        case .unmarked(let queue): return awaits & queue.rawValue != 0
        }
    }

    /// As `dispatcher.name_hash` has it.
    private func digest(_ kind: Kind, _ name: String, hub: Int32) -> [UInt8]? {
        var input = salt
        withUnsafeBytes(of: hub.bigEndian) { input.append(contentsOf: $0) }
        withUnsafeBytes(of: kind.rawValue.bigEndian) { input.append(contentsOf: $0) }
        input.append(contentsOf: name.utf8)
        return try? SHA256.digest(of: input)
    }

    /// Whether a registration is of somebody erased.
    func contain(_ installation: Installation, hub: Int32, _ scope: Scope) -> Bool {
        guard concerns(hub) else { return false }
        if let user = installation.userID, contain(.user, user, hub: hub, scope) { return true }
        return contain(.installation, installation.id, hub: hub, scope)
            || contain(.channel, installation.pushChannel, hub: hub, scope)
    }
}
