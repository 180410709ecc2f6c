import Testing

@testable import Postgres

@Suite("PoolState")
struct PoolStateTests {
    private func isWait(_ grant: PoolGrant<Int>?) -> Bool {
        if case .wait = grant { true } else { false }
    }

    private func isCancelled(_ grant: PoolGrant<Int>?) -> Bool {
        if case .cancelled = grant { true } else { false }
    }

    private func full(_ size: Int) -> PoolState<Int, String> {
        var state = PoolState<Int, String>(size: size)
        for _ in 0..<size { _ = state.take() }
        return state
    }

    @Test("waiters are served in the order they came")
    func fifo() {
        var state = full(1)
        #expect(isWait(state.take()))
        for (id, name) in [(UInt64(1), "a"), (2, "b")] where state.enqueue(id, name) != nil {
            Issue.record("\(name) must wait")
        }
        let member = PoolMember(connection: 7, born: 0, lastUse: 0)
        #expect(state.giveBack(member).waiter == "a")
        #expect(state.giveUp() == "b")
        #expect(state.total == 1)
        #expect(state.giveUp() == nil)
        #expect(state.total == 0)
    }

    @Test("a waiter cancelled before it is queued is turned away")
    func cancelledEarly() {
        var state = full(1)
        #expect(state.abandon(1) == nil)
        #expect(isCancelled(state.enqueue(1, "a")))
        if state.enqueue(2, "b") != nil { Issue.record("b must wait") }
        #expect(state.abandon(2) == "b")
        #expect(state.waiterCount == 0)
    }

    @Test("closing turns waiters away and keeps nothing that comes back")
    func close() {
        var state = full(2)
        _ = state.giveBack(PoolMember(connection: 7, born: 0, lastUse: 0))
        let closed = state.close()
        #expect(closed.idle == [7] && state.total == 1)
        #expect(state.giveBack(PoolMember(connection: 8, born: 0, lastUse: 0)).isKept == false)
        #expect(state.total == 0)
    }
}
