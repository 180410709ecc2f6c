import DispatchCore

/// An erasure that a worker has in hand.
struct ErasureOrder: Sendable {
    let id: UUIDValue
    let hub: Int32
    let hubName: String
    let user: String
    let requestedAt: Timestamp

    /// Whether the user has registered again since.
    let isBack: Bool

    /// What apps called the devices that were removed.
    let devices: [String]

    /// The digests of this erasure alone.
    let tombstones: Tombstones

    /// Whether what came at that time is the erased user's: of one who is back, only what came before.
    func concerns(_ time: Timestamp) -> Bool { !isBack || time <= requestedAt }

    /// Who is erased, for the redaction of a job.
    func isErased(_ kind: Tombstones.Kind, _ name: String) -> Bool {
        tombstones.contain(kind, name, hub: hub, .any)
    }
}

extension [ErasureOrder] {
    /// Those of a hub and a time.
    func concerning(hub: Int32, _ time: Timestamp) -> [ErasureOrder] { filter { $0.hub == hub && $0.concerns(time) } }

    /// What they leave of a job, and which of them it names.
    func redaction(of job: SendJob, body: [UInt8]) -> (result: JobRedaction, orders: [ErasureOrder]) {
        let result = JobRedaction(job, body: body) { kind, name in contains { $0.isErased(kind, name) } }
        if case .unaffected = result { return (result, []) }
        let named = filter { order in
            if case .unaffected = JobRedaction(job, body: body, isErased: order.isErased) { false } else { true }
        }
        return (result, named)
    }
}
