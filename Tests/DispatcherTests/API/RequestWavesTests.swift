import Postgres
import Synchronization
import Testing

@testable import Dispatcher

@Suite("Waves of requests")
struct RequestWavesTests {
    private struct Refused: Error {}

    @Test("What comes while a wave is under way goes together in the next one, and each gets its own answer")
    func grouping() async throws {
        let sizes = Mutex<[Int]>([])
        let gate = AsyncStream.makeStream(of: Void.self)
        let waves = RequestWaves<Int, Int>(limit: 100) { _, items in
            let isFirst = sizes.withLock { sizes in
                sizes.append(items.count)
                return sizes.count == 1
            }
            if isFirst { for await _ in gate.stream { break } }
            return items.map { $0 * 2 }
        }
        try await withThrowingTaskGroup { group in
            for number in 0..<50 { group.addTask { (number, try await waves.answer(number, in: 1)) } }
            while sizes.withLock(\.isEmpty) { await Task.yield() }
            for _ in 0..<1000 { await Task.yield() }
            gate.continuation.yield()
            for try await (number, answer) in group { #expect(answer == number * 2) }
        }
        #expect(sizes.withLock { $0.reduce(0, +) } == 50)
        #expect(sizes.withLock(\.count) < 25)
    }

    @Test("An item that fails takes no neighbour along")
    func poison() async throws {
        let waves = RequestWaves<Int, Int>(limit: 100) { _, items in
            if items.contains(13) { throw Refused() }
            return items
        }
        await withTaskGroup { group in
            for number in 0..<30 {
                group.addTask {
                    let answer = try? await waves.answer(number, in: 1)
                    #expect(answer == (number == 13 ? nil : number))
                }
            }
        }
    }

    @Test("A wave has one hub")
    func hubs() async throws {
        let waves = RequestWaves<Int32, Int32>(limit: 100) { hub, items in
            items.allSatisfy { $0 == hub } ? items : items.map { _ in -1 }
        }
        try await withThrowingTaskGroup { group in
            for number in Int32(0)..<40 {
                group.addTask { (number % 3, try await waves.answer(number % 3, in: number % 3)) }
            }
            for try await (hub, answer) in group { #expect(answer == hub) }
        }
    }

    @Test("A wave that is stuck lets another go beside it, and only one")
    func stuck() async throws {
        let now = Mutex(ContinuousClock.now)
        let started = Mutex<[Int]>([])
        let gate = AsyncStream.makeStream(of: Void.self)
        let waves = RequestWaves<Int, Int>(limit: 100, now: { now.withLock { $0 } }) { _, items in
            started.withLock { $0 += items }
            if items.contains(0) { for await _ in gate.stream { break } }
            return items
        }
        let first = Task { try await waves.answer(0, in: 1) }
        while started.withLock(\.isEmpty) { await Task.yield() }
        let second = Task { try await waves.answer(1, in: 1) }
        for _ in 0..<1000 { await Task.yield() }
        #expect(started.withLock { $0 } == [0])
        now.withLock { $0 += .milliseconds(100) }
        #expect(try await waves.answer(2, in: 1) == 2)
        #expect(try await second.value == 1)
        gate.continuation.yield()
        #expect(try await first.value == 0)
    }
}
