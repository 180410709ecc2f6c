import DispatchCore

/// What the database knows about a wave before it is planned.
struct ResolvedWave: Sendable {
    /// The devices of each job, by ordinal; one more than the small limit means large.
    var targets: [[DeliveryTarget]]

    /// The bodies of jobs that were accepted before under the same id; nil for one from which somebody was erased.
    var existing: [WaveIdentity: [UInt8]?] = [:]

    /// One fresh id for each job.
    var ids: [NotificationID] = []
}

/// What makes a job the same job: its id within its hub.
struct WaveIdentity: Hashable, Sendable {
    let job: UUIDValue
    let hub: Int32
}
