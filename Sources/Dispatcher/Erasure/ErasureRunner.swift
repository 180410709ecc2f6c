import AMQP
import DispatchCore

/// Sees erasures to their end: the markers into the queues, then a look through every table in small steps.
struct ErasureRunner: Sendable {
    let store: ErasureStore
    let watch: ErasureWatch
    let publisher: AMQPPublisher
    let configuration: Configuration
    let log: Log

    /// How soon other workers hear of an erasure or a marker.
    static let interval = Duration.seconds(1)

    private static let confirmLimit = Duration.seconds(10)

    /// What is to be done now.
    func step() async throws {
        try await watch.refresh()
        for erasure in try await store.unmarked() { try await mark(erasure) }
        let (orders, now) = try await store.claim()
        guard !orders.isEmpty else { return }
        do {
            try await look(orders)
            try await store.finish(orders, begunAt: now)
        } catch {
            try await store.release(orders)
            throw error
        }
        log.info("erasures.passed", ["count": orders.count])
    }

    /// What has no marker because its process was stopped, or the broker was away.
    private func mark(_ erasure: UUIDValue) async throws {
        let marker = ErasureMarker(erasure: erasure)
        let results = await publisher.publishSigned(marker.messages, deadline: Self.confirmLimit)
        if results.allSatisfy({ $0 == .confirmed }) { try await store.noteMarkers(erasure) }
    }

    /// Everything that may name them.
    ///
    /// The order does not matter: who comes in between is stopped by the tombstones.
    private func look(_ orders: [ErasureOrder]) async throws {
        try await store.removeChannels(orders)
        try await emptyNotifications(orders)
        try await store.removeReceipts(orders, retentionDays: configuration.retentionDays)
        try await store.removeInboxes(orders)
        try await store.removeEvents(orders)
        try await removeWaitingJobs(orders)
        try await removeLetters(orders)
    }

    private func emptyNotifications(_ orders: [ErasureOrder]) async throws {
        var cursor: Int64 = 0
        while let found = try await store.notifications(after: cursor, of: orders) {
            var changed: [(key: Int64, body: [UInt8], target: String)] = []
            var counted: [ErasureOrder] = []
            for job in found.jobs {
                let (redaction, named) = Self.redaction(of: job, orders)
                counted += named
                switch redaction {
                case .unaffected: continue
                case .emptied: changed.append((job.key, [], "erased"))
                case .redacted(let left, let body): changed.append((job.key, body, left.audience.summary))
                }
            }
            if !changed.isEmpty { try await store.rewrite(changed) }
            try await store.count("notifications", counted)
            try await store.renew(orders)
            cursor = found.last
        }
    }

    /// One that cannot be read is emptied if it names them in any way.
    private static func redaction(
        of stored: ErasureStore.StoredJob,
        _ all: [ErasureOrder]
    ) -> (JobRedaction, [ErasureOrder]) {
        let orders = all.concerning(hub: stored.hub, stored.createdAt)
        guard !orders.isEmpty else { return (.unaffected, []) }
        guard let job = try? SendJob(decoding: stored.body, messageID: stored.id.description) else {
            let named = ErasedMention.orders(in: stored.body, of: orders)
            return (named.isEmpty ? .unaffected : .emptied, named)
        }
        let (result, named) = orders.redaction(of: job, body: stored.body)
        return (result, named)
    }

    /// A job of the hub's own follows from what a user did, so one that is for others too goes as well.
    private func removeWaitingJobs(_ orders: [ErasureOrder]) async throws {
        let keys = try await store.waitingJobs(of: orders).compactMap { job -> Int64? in
            if case .unaffected = Self.redaction(of: job, orders).0 { nil } else { job.key }
        }
        if !keys.isEmpty { try await store.removeWaitingJobs(keys) }
    }

    private func removeLetters(_ orders: [ErasureOrder]) async throws {
        let length = try await AMQPTopology(endpoint: try configuration.brokerEndpoint())
            .messageCount(DeadQueueTurn.queue)
        // Messages without a row get theirs first: what they hold is found in the table.
        if length > (try await store.openLetters()) { try await turn() }
        var cursor: Int64 = 0
        var emptied: [Int64] = []
        while true {
            let letters = try await store.letters(after: cursor, of: orders)
            guard let last = letters.last else { break }
            let (ids, named) = Self.named(letters, orders)
            if !ids.isEmpty { try await store.emptyLetters(ids) }
            try await store.count("dead_letters", named)
            try await store.renew(orders)
            emptied += ids
            cursor = last.id
        }
        guard !emptied.isEmpty else { return }
        if length > 0 { try await turn() }
        try await store.removeEmptiedLetters(emptied)
    }

    private static func named(
        _ letters: [ErasureStore.StoredLetter],
        _ all: [ErasureOrder]
    ) -> (ids: [Int64], orders: [ErasureOrder]) {
        var ids: [Int64] = []
        var counted: [ErasureOrder] = []
        for letter in letters {
            let orders = all.filter {
                (letter.hub == nil || letter.hub == $0.hubName) && $0.concerns(letter.receivedAt)
            }
            let named = ErasedMention.orders(in: letter.body, of: orders)
            if !named.isEmpty { ids.append(letter.id) }
            counted += named
        }
        return (ids, counted)
    }

    private func turn() async throws {
        _ = try await DeadLetterDesk.with(configuration) { try await $0.settle() }
    }
}
