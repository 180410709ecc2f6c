import DispatchCore
import Postgres

/// Gives a batch the declared categories that its notifications name.
struct CategoryReader: Sendable {
    let pool: PostgresPool
    let cache: CategoryCache
    let log: Log
    let backoff: Backoff

    /// The batch with its categories; nil when the drain has run out of time.
    func read(for batch: BatchWork) async -> BatchWork? {
        let named = batch.parts.filter { $0.notification.job.content.buttonCategory != nil }.map(\.notification)
        guard !named.isEmpty else { return batch }
        return await backoff.insist("categories.failed", batch: batch.id, log: log) {
            try await refresh(Set(named.map(\.hub.id)))
            return batch.with(named, from: cache)
        }
    }

    private func refresh(_ hubs: Set<Int32>) async throws {
        let now = ContinuousClock.now
        let stale = cache.stale(of: hubs, at: now)
        guard !stale.isEmpty else { return }
        let statement = PostgresStatement(
            "SELECT hub_id, document FROM dispatcher.category WHERE hub_id = ANY ($1::int4[])",
            [.int4s(stale)]
        )
        let found = try await pool.withSession { session throws(PostgresError) in
            let rows = try session.execute(statement)
            var found: [CategoryCache.Row] = []
            found.reserveCapacity(rows.count)
            for row in 0..<rows.count {
                found.append(CategoryCache.Row(hub: try rows.int4(row, 0), document: try rows.text(row, 1)))
            }
            return found
        }
        cache.replace(stale, by: found, at: now)
    }
}

extension JobContent {
    /// The category whose buttons are rendered: none when the content brings its own.
    fileprivate var buttonCategory: String? {
        guard case .neutral(let content) = self, content.actions.isEmpty else { return nil }
        return content.category
    }
}

extension BatchWork {
    fileprivate func with(_ notifications: [NotificationWork], from cache: CategoryCache) -> BatchWork {
        var batch = self
        for notification in notifications {
            guard let id = notification.job.content.buttonCategory else { continue }
            batch.categories[notification.id] = cache.category(id, of: notification.hub.id)
        }
        return batch
    }
}
