import AMQP
import DispatchCore

@testable import Dispatcher

/// `BatchLane`, `BatchRunner` and `Recorder`.
extension FakeWorker {
    func runBatches(_ lane: Lane) {
        intakes[lane.batchesQueue]?.take(BatchLane.chainLength) { [self] messages in
            runChain(messages[...], begunWith: nil, lane) { self.runBatches(lane) }
        }
    }

    /// `share` is that of a batch that was begun with the record of the one before.
    private func runChain(
        _ messages: ArraySlice<AMQPDelivery>,
        begunWith share: FakeBudget.Share?,
        _ lane: Lane,
        _ then: @escaping () -> Void
    ) {
        guard let message = messages.first else {
            share?.release()
            return then()
        }
        let goOn = { [self] share in runChain(messages.dropFirst(), begunWith: share, lane, then) }
        guard let announced = BatchMessage(body: message.body) else {
            intakes[lane.batchesQueue]?.finish([message])
            return goOn(share)
        }
        let next = messages.dropFirst().first.flatMap { BatchMessage(body: $0.body) }
        let runFirst = { [self] held in
            run(announced, message, isBegun: share != nil, next, held, lane, goOn)
        }
        if let share, !broken.contains(.intentWithoutBudget) { return runFirst(share) }
        share?.release()
        let sizes = messages.compactMap { BatchMessage(body: $0.body)?.size }
        budget(lane).acquire(sizes.max() ?? 0, runFirst)
    }

    private func run(
        _ announced: BatchMessage,
        _ message: AMQPDelivery,
        isBegun: Bool,
        _ next: BatchMessage?,
        _ share: FakeBudget.Share,
        _ lane: Lane,
        _ then: @escaping (FakeBudget.Share?) -> Void
    ) {
        let end = {
            share.release()
            then(nil)
        }
        take(announced.id, isBegun: isBegun, lane) { [self] batch in
            intakes[lane.batchesQueue]?.finish([message])
            guard let batch else { return end() }
            run(batch, next: next.map { NextBatch(id: $0.id, epoch: nil) }, share) {
                if $0 != nil { then(share) } else { end() }
            }
        }
    }

    private func take(_ batch: Int64, isBegun: Bool, _ lane: Lane, _ then: @escaping (BatchWork?) -> Void) {
        insist(
            lane,
            isBegun ? "reads b\(batch)" : "claims b\(batch)",
            { [id] in isBegun ? $0.read(batch, worker: id) : $0.claim(batch, worker: id) }
        ) { result in
            if case .success(let work) = result { then(work) } else { then(nil) }
        }
    }

    /// Sends one begun batch and records it; what is unanswered goes on beside the lane.
    func run(
        _ batch: BatchWork,
        next: NextBatch?,
        _ share: FakeBudget.Share,
        _ then: @escaping (BegunBatch?) -> Void
    ) {
        // Templates, badges and categories are read in between.
        process.after(simulation.latency()) { [self] in
            active.insert(batch.id)
            let (sent, exchange) = send(batch)
            exchange.wait(profile.limits.patience) { [self] in
                let results = results(of: sent, exchange, isFinal: false)
                let remaining = sent.remaining(after: results)
                record(batch, results, remaining: remaining, next: remaining == nil ? next : nil) { [self] begun in
                    if let remaining {
                        let kept = share.split(remaining.count)
                        finish(sent, exchange, answered: results, remaining, kept)
                    } else {
                        active.remove(batch.id)
                    }
                    then(begun)
                }
            }
        }
    }

    private func send(_ batch: BatchWork) -> (SentBatch, FakeExchange) {
        let isUnchecked = broken.contains(.expiryUncheckedAtRetry) && batch.isRetry
        var known = batch
        if broken.contains(.onceIgnored) { known = batch.unflagged }
        if isUnchecked { known = batch.unpaused }
        let rendering = BatchRendering(known, now: isUnchecked ? Timestamp(seconds: 0) : now)
        let exchange = gateway.send(rendering.requests, of: batch, from: process)
        let sent = SentBatch(
            batch: batch,
            positions: rendering.positions,
            settled: rendering.results,
            policy: profile.policy
        )
        return (sent, exchange)
    }

    private func results(of sent: SentBatch, _ exchange: FakeExchange, isFinal: Bool) -> [DeliveryResult?] {
        sent.results(of: exchange.outcomes, isFinal: isFinal, now: now, using: &simulation.dice)
    }

    /// `BatchRunner.finish`.
    private func finish(
        _ sent: SentBatch,
        _ exchange: FakeExchange,
        answered: [DeliveryResult?],
        _ remaining: BatchWork,
        _ share: FakeBudget.Share
    ) {
        exchange.wait(profile.limits.deadline - profile.limits.patience) { [self] in
            let results = results(of: sent, exchange, isFinal: true)
            let late = zip(answered, results).compactMap { $0 == nil ? $1 : nil }
            record(remaining, late, remaining: nil, next: nil) { [self] _ in
                active.remove(remaining.id)
                share.release()
            }
        }
    }
}

extension FakeWorker {
    private func record(
        _ batch: BatchWork,
        _ results: [DeliveryResult?],
        remaining: BatchWork?,
        next: NextBatch?,
        _ then: @escaping (BegunBatch?) -> Void
    ) {
        let record = BatchRecord(batch, results: results, at: now)
        write(Writing(record: record, batch: batch, remaining: remaining, next: next), failures: 0, then)
    }

    private struct Writing {
        let record: BatchRecord
        let batch: BatchWork
        let remaining: BatchWork?
        let next: NextBatch?
        var isTolerant = false
    }

    /// `Recorder.record`: again until it is written, or is late.
    private func write(_ work: Writing, failures: Int, _ then: @escaping (BegunBatch?) -> Void) {
        let name = "records \(work.record.deliveries.count) of b\(work.batch.id).\(work.batch.epoch)"
        call(
            pool(work.batch.lane),
            name,
            { [id] in
                try $0.record(
                    work.record,
                    of: work.batch,
                    remaining: work.remaining,
                    next: work.next,
                    isTolerant: work.isTolerant,
                    worker: id
                )
            }
        ) { [self] result in
            var work = work
            switch result {
            case .success(.recorded(let next)):
                addRetriesLater(work)
                then(next)
            case .success(.late): then(nil)
            case .failure(let error):
                work.isTolerant = work.isTolerant || error is FakeDatabase.Refusal
                pause(failures + 1) { [self, work] in write(work, failures: failures + 1, then) }
            }
        }
    }

    private func addRetriesLater(_ work: Writing) {
        guard broken.contains(.retryAfterRecord), !work.record.retries.isEmpty else { return }
        let lane = work.batch.lane
        insist(lane, "adds retries", { try $0.addRetries(work.record, lane: lane) }) { _ in }
    }
}

extension BatchWork {
    /// The same without the word that its last owner died.
    fileprivate var unflagged: BatchWork {
        BatchWork(id: id, epoch: epoch, lane: lane, isAmbiguous: false, isRetry: isRetry, parts: parts)
    }

    /// The same with devices whose pauses are over, for whoever does not look at the time.
    fileprivate var unpaused: BatchWork {
        var work = self
        work.parts = parts.map { part in
            BatchWork.Part(notification: part.notification, targets: part.targets.map(\.unpaused))
        }
        return work
    }
}

extension DeliveryTarget {
    fileprivate var unpaused: DeliveryTarget {
        guard let device, device.pausedUntil != nil else { return self }
        let free = Device(
            installationID: device.installationID,
            platform: device.platform,
            channel: device.channel,
            topic: device.topic,
            permission: device.permission,
            locale: device.locale,
            isSandbox: device.isSandbox
        )
        return DeliveryTarget(device: free, installation: installation, attempt: attempt)
    }
}
