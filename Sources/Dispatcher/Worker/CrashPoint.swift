/// Where a test can make a worker end: between two steps of which one may be done without the other.
enum CrashPoint: String, CaseIterable {
    /// Jobs are read, nothing is written.
    case decoded

    /// A wave's plan is committed, its messages are not acknowledged.
    case planned

    /// A wave's messages are acknowledged, nothing is sent.
    case acknowledged

    /// A page of a large audience is committed, not announced.
    case pageWritten

    /// A page is announced, the next one not begun.
    case pagePublished

    /// The broker has confirmed batches, which the database does not know.
    case announced

    /// A batch is claimed, its message not acknowledged.
    case claimed

    /// A batch's message is acknowledged, nothing is sent.
    case claimAcknowledged

    /// The gateways have answered, nothing is recorded.
    case sent

    /// The gateways have answered the last ones of a batch that is recorded but for them.
    case sentLate

    /// A batch is recorded, and the next one begun with it.
    case recorded

    /// Due retries have become batches that are not announced.
    case retriesTaken

    /// A lost worker's batches are free again, not announced.
    case rescued

    /// The row of a dead letter is written, its message not published.
    case letterWritten

    /// The message of a dead letter is confirmed, which its row does not say.
    case letterPublished

    /// Registrations are written, their messages not acknowledged.
    case registered

    /// Receipts are written, their messages not acknowledged.
    case receiptsWritten

    /// Events are confirmed and still stand in the outbox.
    case told
}
