import DispatchCore
import Testing

@testable import Dispatcher

@Suite struct CategoryCacheTests {
    private static let row = CategoryCache.Row(hub: 1, document: #"{"id":"a","summaryFormat":"%u"}"#)

    @Test("what was read is good for a second, for the hubs it was read of")
    func age() {
        let cache = CategoryCache()
        let start = ContinuousClock.now
        #expect(cache.stale(of: [1, 2], at: start) == [1, 2])
        cache.replace([1], by: [Self.row], at: start)
        #expect(cache.stale(of: [1, 2], at: start + .milliseconds(999)) == [2])
        #expect(cache.stale(of: [1], at: start + .seconds(1)) == [1])
        // A hub without categories is known to have none.
        cache.replace([2], by: [], at: start)
        #expect(cache.stale(of: [2], at: start) == [])
    }

    @Test("a hub has what was read last, and nothing that cannot be read")
    func content() {
        let cache = CategoryCache()
        cache.replace(
            [1, 2],
            by: [Self.row, .init(hub: 1, document: "{}"), .init(hub: 2, document: #"{"id":"b"}"#)],
            at: .now
        )
        #expect(cache.category("a", of: 1)?.summaryFormat == "%u")
        #expect(cache.category("a", of: 2) == nil && cache.category("b", of: 2)?.id == "b")
        cache.replace([1], by: [.init(hub: 1, document: #"{"id":"a"}"#)], at: .now)
        #expect(cache.category("a", of: 1) == ActionCategory(id: "a"))
        cache.replace([1], by: [], at: .now)
        #expect(cache.category("a", of: 1) == nil && cache.category("b", of: 2) != nil)
    }
}
