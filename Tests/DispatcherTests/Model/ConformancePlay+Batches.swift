import DispatchCore
import Postgres

@testable import Dispatcher

extension ConformancePlay {
    private func store(_ worker: Int64) -> BatchStore {
        BatchStore(pool: real.pool, worker: worker, hubs: HubDirectory(pool: real.pool))
    }

    /// Any batch there is, or one that is gone.
    private mutating func anyBatch() -> Int64? {
        let known = dice.below(5) == 0 ? realBatches.keys.sorted() : fake.batches.keys.sorted()
        return known.isEmpty ? nil : dice.pick(known)
    }

    mutating func claim(_ worker: Int64) async throws {
        guard let id = anyBatch(), let theirs = realBatches[id] else { return }
        note("worker \(worker) claims b\(id)")
        let model = fake.claim(id, worker: worker)
        let found = try await store(worker).claim(theirs)
        try agree(model.map(Facts.init), found.map(Facts.init), "claimed batch")
        if let model { hands.append((model, worker)) }
    }

    mutating func read(_ worker: Int64) async throws {
        guard let id = anyBatch(), let theirs = realBatches[id] else { return }
        note("worker \(worker) reads b\(id)")
        let found = try await store(worker).read(theirs)
        try agree(fake.read(id, worker: worker).map(Facts.init), found.map(Facts.init), "own batch")
    }

    /// Records something that is in somebody's hands, whether it still is or not; sometimes twice.
    mutating func record() async throws {
        guard !hands.isEmpty else { return }
        let owned = hands.indices.filter { fake.batches[hands[$0].batch.id]?.worker == hands[$0].worker }
        let place = owned.isEmpty || dice.below(4) == 0 ? dice.below(hands.count) : dice.pick(owned)
        let (batch, worker) = hands[place]
        guard let theirs = realBatches[batch.id] else { return }
        let results = randomResults(of: batch)
        let sent = SentBatch(batch: batch, positions: [], settled: results, policy: RetryPolicy())
        let remaining = sent.remaining(after: results)
        let record = BatchRecord(batch, results: results, at: fake.now)
        let next = anyBatch().map { id in
            NextBatch(id: id, epoch: dice.below(2) == 0 ? fake.batches[id]?.epoch : nil)
        }
        let isTolerant = dice.below(4) == 0
        note(
            "worker \(worker) records \(record.deliveries.count) of b\(batch.id).\(batch.epoch), next \(next?.id ?? 0)"
        )
        let before = fake
        let model = try? fake.record(
            record,
            of: batch,
            remaining: remaining,
            next: next,
            isTolerant: isTolerant,
            worker: worker
        )
        if model == nil { fake = before }
        let found = try await recordInStore(
            record,
            batch.numbered(theirs),
            remaining?.numbered(theirs),
            next.map { NextBatch(id: realBatches[$0.id] ?? 0, epoch: $0.epoch) },
            isTolerant,
            worker
        )
        try agree(model, found, "answer to a record")
        settle(place, after: model, remaining: remaining, next: next)
    }

    private func recordInStore(
        _ record: BatchRecord,
        _ batch: BatchWork,
        _ remaining: BatchWork?,
        _ next: NextBatch?,
        _ isTolerant: Bool,
        _ worker: Int64
    ) async throws -> FakeDatabase.RecordAnswer? {
        let store = RecordStore(pool: real.pool, worker: worker, told: .usual)
        do {
            let answer = try await store.record(
                record,
                of: batch,
                remaining: remaining,
                next: next,
                isTolerant: isTolerant
            )
            return switch answer {
            case .recorded(let next): .recorded(next: next)
            case .late: .late
            }
        } catch let error as PostgresError where error.sqlState == "23505" {
            return nil
        }
    }

    /// Who has recorded goes on with what remains, and with what was begun; now and then tries the same again.
    private mutating func settle(
        _ place: Int,
        after answer: FakeDatabase.RecordAnswer?,
        remaining: BatchWork?,
        next: NextBatch?
    ) {
        let worker = hands[place].worker
        if dice.below(4) > 0 { hands.remove(at: place) }
        guard case .recorded(let begun) = answer else { return }
        if let remaining { hands.append((remaining, worker)) }
        if begun != nil, let next, let batch = fake.read(next.id, worker: worker) { hands.append((batch, worker)) }
    }

    /// What may come of each delivery; nothing yet of some.
    private mutating func randomResults(of batch: BatchWork) -> [DeliveryResult?] {
        let shareOfSilence = dice.pick([0, 0, 20])
        return batch.parts.flatMap { part in
            part.targets.map { target in
                guard dice.below(100) >= shareOfSilence else { return nil }
                return randomResult(of: target, part.notification, batch.isAmbiguous)
            }
        }
    }

    private mutating func randomResult(
        of target: DeliveryTarget,
        _ notification: NotificationWork,
        _ wasAmbiguous: Bool
    ) -> DeliveryResult {
        if dice.below(10) == 0 {
            let state = dice.pick([DeliveryState.expired, .cancelled, .suppressed, .failed, .unknown])
            return .ended(state, reason: state.name, attempts: target.attempt - 1)
        }
        let since = dice.below(2) == 0 ? fake.now : Timestamp(seconds: 1_000)
        let outcome = dice.pick([
            DeliveryOutcome.accepted(gatewayID: nil), .accepted(gatewayID: nil), .accepted(gatewayID: nil),
            .rejected(GatewayRejection(status: 503, reason: "")), .unanswered,
            .rejected(GatewayRejection(status: 429, reason: "", retryAfter: .seconds(30))),
            .rejected(GatewayRejection(status: 410, reason: "Unregistered", invalidSince: since)),
            .rejected(GatewayRejection(status: 404, reason: "UNREGISTERED")),
        ])
        return .decide(
            outcome: outcome,
            platform: target.device?.platform ?? .apns,
            attempt: target.attempt,
            wasAmbiguous: wasAmbiguous,
            policy: RetryPolicy(),
            now: fake.now,
            expiresAt: notification.expiresAt,
            guarantee: notification.job.options.guarantee,
            using: &dice
        )
    }

    /// What a claim answers, without the batch's number.
    struct Facts: Equatable {
        let epoch: Int32
        let lane: Lane
        let isAmbiguous: Bool
        let isRetry: Bool
        let notifications: [String]
        let targets: [String]

        init(_ batch: BatchWork) {
            epoch = batch.epoch
            lane = batch.lane
            isAmbiguous = batch.isAmbiguous
            isRetry = batch.isRetry
            notifications = batch.parts.map(\.notification).map {
                "\($0.id.rawValue) \($0.isCancelled) \($0.expiresAt.microseconds) \($0.job.id)"
            }
            targets = batch.parts.flatMap(\.targets).map {
                "\($0.installation.rawValue) \($0.attempt) \($0.device?.channel ?? "gone")"
            }
        }
    }
}

extension BatchWork {
    /// The same under PostgreSQL's number.
    fileprivate func numbered(_ id: Int64) -> BatchWork {
        BatchWork(id: id, epoch: epoch, lane: lane, isAmbiguous: isAmbiguous, isRetry: isRetry, parts: parts)
    }
}
