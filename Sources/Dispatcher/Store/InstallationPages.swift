import DispatchCore
import Postgres
import Synchronization

/// The installations that a search finds, page by page, as lines of JSON.
final class InstallationPages: Sendable {
    private let search: Mutex<InstallationSearch?>
    private let pool: PostgresPool
    private let hub: Int32
    private let hubName: String

    init(_ search: InstallationSearch, pool: PostgresPool, hub: Int32, hubName: String) {
        var search = search
        search.limit = InstallationSearch.greatestLimit
        self.search = Mutex(search)
        self.pool = pool
        self.hub = hub
        self.hubName = hubName
    }

    /// The next page; nil behind the last one.
    func next() async throws -> [UInt8]? {
        guard var search = search.withLock({ $0 }) else { return nil }
        let (page, hasMore) = try await search.page(pool, hub: hub, hubName: hubName)
        search.after = page.last?.installation.id
        let following = hasMore ? search : nil
        self.search.withLock { $0 = following }
        guard !page.isEmpty else { return nil }
        var lines: [UInt8] = []
        lines.reserveCapacity(page.count * 256)
        for found in page {
            lines += JSONWriter.encode(found.installation.document)
            lines.append(0x0A)
        }
        return lines
    }
}
