import Testing

@testable import AMQP

@Suite("AckFloor")
struct AckFloorTests {
    private func tag(_ value: UInt64, epoch: UInt64 = 1) -> DeliveryTag {
        DeliveryTag(value: value, epoch: epoch)
    }

    @Test("completions in order move the floor each time")
    func inOrder() {
        var floor = AckFloor()
        for value in UInt64(1)...3 { floor.register(tag(value)) }
        #expect(floor.complete(tag(1)) == tag(1))
        #expect(floor.complete([tag(2), tag(3)]) == tag(3))
        #expect(floor.outstanding == 0)
    }

    @Test("a gap holds the floor until it closes")
    func gap() {
        var floor = AckFloor()
        for value in UInt64(1)...4 { floor.register(tag(value)) }
        #expect(floor.complete([tag(2), tag(4)]) == nil)
        #expect(floor.outstanding == 2)
        #expect(floor.complete(tag(1)) == tag(2))
        #expect(floor.complete(tag(3)) == tag(4))
    }

    @Test("a tag another task took and has not registered yet holds the floor")
    func unregistered() {
        var floor = AckFloor()
        floor.register(tag(3))
        #expect(floor.complete(tag(3)) == nil)
        floor.register(tag(1))
        floor.register(tag(2))
        #expect(floor.complete([tag(1), tag(2)]) == tag(3))
    }

    @Test("a tag settled on its own is passed over but never named")
    func settled() {
        var floor = AckFloor()
        for value in UInt64(1)...4 { floor.register(tag(value)) }
        #expect(floor.complete(tag(1)) == tag(1))
        #expect(floor.complete(tag(3)) == nil)
        #expect(floor.settle(tag(2)) == tag(3))
        #expect(floor.settle(tag(4)) == nil)
        #expect(floor.outstanding == 0)
    }

    @Test("a new channel forgets the old one, whose tags then do nothing")
    func epochs() {
        var floor = AckFloor()
        for value in UInt64(1)...3 { floor.register(tag(value)) }
        floor.register(tag(1, epoch: 2))
        #expect(floor.outstanding == 1)
        #expect(floor.complete([tag(1), tag(2), tag(3)]) == nil)
        #expect(floor.complete(tag(1, epoch: 2)) == tag(1, epoch: 2))
    }

    @Test("completing twice counts once")
    func twice() {
        var floor = AckFloor()
        floor.register(tag(1))
        floor.register(tag(2))
        #expect(floor.complete(tag(1)) == tag(1))
        #expect(floor.complete(tag(1)) == nil)
        #expect(floor.outstanding == 1)
    }

    @Test("agrees with a simple model on random orders", arguments: [UInt64(1), 2, 3, 4, 5])
    func model(seed: UInt64) {
        var generator = SplitMix(state: seed)
        var floor = AckFloor()
        var isDone: [Bool] = []
        var isSettled: [Bool] = []
        var open: [UInt64] = []
        var expected: UInt64 = 0
        for _ in 0..<20_000 {
            if open.isEmpty || Bool.random(using: &generator) {
                open.append(UInt64(isDone.count + 1))
                isDone.append(false)
                isSettled.append(false)
                floor.register(tag(UInt64(isDone.count)))
                continue
            }
            let index = Int.random(in: 0..<min(open.count, 300), using: &generator)
            let value = open.remove(at: index)
            let settles = Int.random(in: 0..<10, using: &generator) == 0
            isDone[Int(value) - 1] = true
            isSettled[Int(value) - 1] = settles
            let moved = settles ? floor.settle(tag(value)) : floor.complete(tag(value))
            var answer: DeliveryTag?
            while expected < isDone.count, isDone[Int(expected)] {
                expected += 1
                if !isSettled[Int(expected) - 1] { answer = tag(expected) }
            }
            #expect(moved == answer, "seed \(seed)")
            #expect(floor.outstanding == open.count, "seed \(seed)")
        }
    }
}
