/// A rule of the protocol that a run leaves out, to show that the checks would see it.
enum BrokenRule: String, CaseIterable {
    /// A record is written whoever owns the batch by now.
    case recordWithoutFence

    /// The epoch of a batch stands still while it changes hands.
    case epochStandsStill

    /// A batch that is taken from a lost worker is not flagged.
    case rescueWithoutFlag

    /// Nobody takes the batches of lost workers.
    case noRescue

    /// Nobody compares what is ours in SQL with what is in hand.
    case noReconciliation

    /// A batch is taken although somebody has it.
    case claimFromOwner

    /// The rest of a batch keeps its epoch when its answered part is recorded.
    case shrinkWithoutEpoch

    /// A message is acknowledged before its plan is committed.
    case earlyAcknowledgement

    /// The same job twice is not found out.
    case noIdentity

    /// Retries are written in a transaction after the record's.
    case retryAfterRecord

    /// A plan that is taken over goes on from its beginning.
    case cursorForgotten

    /// Nobody looks at the expiry when a retry begins.
    case expiryUncheckedAtRetry

    /// Nobody looks whether the notification was cancelled when a batch is begun.
    case cancelUnchecked

    /// An ambiguous delivery is sent again whatever its guarantee.
    case onceIgnored

    /// The next batch of a chain is begun before there is room for it.
    case intentWithoutBudget

    /// Urgent work shares hands, connections and budget with the rest.
    case urgentAmongBulk

    /// The database's time is believed to be new when it arrives, however long the worker stood still.
    case pauseUnnoticed
}
