import DispatchCore

/// The batch that is begun in the commit that records the one before it, which saves it a commit of its own.
struct NextBatch: Sendable {
    let id: Int64

    /// The epoch at which its content was read; nil when it is read after it is begun.
    let epoch: Int32?
}

/// What the commit that began a batch found.
struct BegunBatch: Sendable, Equatable {
    /// The batch's notifications that are cancelled by now.
    var cancelled: Set<NotificationID> = []
}
