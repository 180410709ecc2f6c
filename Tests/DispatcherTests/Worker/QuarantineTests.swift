import Synchronization
import Testing

@testable import Dispatcher

@Suite(.timeLimit(.minutes(1))) struct QuarantineTests {
    /// Who is in it, and what was wrong with that.
    private final class Room: Sendable {
        struct State {
            var count = 0
            var most = 0
            var isAlone = false
            var faults = 0
        }

        let state = Mutex(State())

        func enter(isAlone: Bool) {
            state.withLock { state in
                if state.isAlone || (isAlone && state.count > 0) { state.faults += 1 }
                state.count += 1
                state.most = max(state.most, state.count)
                state.isAlone = isAlone
            }
        }

        func leave() {
            state.withLock { state in
                state.count -= 1
                state.isAlone = false
            }
        }
    }

    @Test("whoever is alone is alone, and the others are together before and after")
    func alone() async {
        let quarantine = Quarantine()
        let room = Room()
        await withDiscardingTaskGroup { group in
            for number in 0..<400 {
                group.addTask {
                    let isAlone = number % 10 == 0
                    await quarantine.enter(isAlone: isAlone)
                    room.enter(isAlone: isAlone)
                    for _ in 0..<5 { await Task.yield() }
                    room.leave()
                    quarantine.leave(isAlone: isAlone)
                }
            }
        }
        let found = room.state.withLock { $0 }
        #expect(found.faults == 0 && found.count == 0)
        #expect(found.most > 1, "nobody was ever together")
    }
}
