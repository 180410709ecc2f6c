import DispatchCore
import Postgres

/// Writes results until they are written: while the database is away it waits, holding what it has to record.
struct Recorder: Sendable {
    let store: RecordStore
    let clock: DatabaseClock
    let log: Log
    let counters: WorkerCounters
    let backoff: Backoff

    /// Records the answered part of the batch and begins `next` in the same commit.
    func record(_ batch: BatchWork, results: [DeliveryResult?], remaining: BatchWork?, next: NextBatch?) async
        -> BegunBatch?
    {
        let record = BatchRecord(batch, results: results, at: clock.now)
        let start = ContinuousClock.now
        var failures = 0
        var isTolerant = false
        while true {
            do {
                let answer = try await store.record(
                    record,
                    of: batch,
                    remaining: remaining,
                    next: next,
                    isTolerant: isTolerant
                )
                await rename(record)
                return settle(answer, record: record, batch: batch, in: .now - start)
            } catch {
                // The drain has run out of time: the lease brings the batch back, flagged as ambiguous.
                guard !Task.isCancelled else { return nil }
                log.warning("record.failed", ["batch": batch.id, "error": error])
                failures += 1
                // Rows the database will never take must not be tried, and held, for ever.
                isTolerant = isTolerant || (error as? PostgresError)?.isFaultOfInput ?? false
                await backoff.wait(failures)
            }
        }
    }

    /// A gateway names a device's new channel with every push to the old one, so a failure here can wait for the next.
    private func rename(_ record: BatchRecord) async {
        guard !record.newChannels.isEmpty else { return }
        do {
            try await NewChannelStore(pool: store.pool).replace(record.newChannels)
        } catch {
            log.warning("channels.not_replaced", ["count": record.newChannels.count, "error": error])
        }
    }

    private func settle(
        _ answer: RecordStore.Answer,
        record: BatchRecord,
        batch: BatchWork,
        in time: Duration
    ) -> BegunBatch? {
        switch answer {
        case .recorded(let next):
            counters.add(record, in: time)
            return next
        case .late:
            log.warning("record.late", ["batch": batch.id, "deliveries": record.deliveries.count])
            return nil
        }
    }
}
