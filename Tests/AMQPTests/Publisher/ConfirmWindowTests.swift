import Testing

@testable import AMQP

@Suite("ConfirmWindow")
struct ConfirmWindowTests {
    private func results(
        _ count: Int,
        _ events: (inout ConfirmWindow) -> Void
    ) async -> [PublishResult] {
        await withCheckedContinuation { continuation in
            let messages = (0..<count).map { AMQPMessage(routingKey: "k\($0 % 2)", body: [UInt8($0)]) }
            let batch = PublishBatch(messages, deadline: .now + .seconds(60), continuation: continuation)
            var window = ConfirmWindow()
            for index in messages.indices { window.add(batch, index) }
            events(&window)
            #expect(window.isEmpty)
            batch.finish("open")
        }
    }

    @Test("single and multiple confirms in any order reach their messages")
    func multiple() async {
        let results = await results(6) { window in
            window.settle(4, multiple: false, .confirmed)
            window.settle(2, multiple: true, .refused)
            #expect(!window.isEmpty)
            window.settle(0, multiple: true, .confirmed)
        }
        #expect(results == [.refused, .refused, .confirmed, .confirmed, .confirmed, .confirmed])
    }

    @Test("a returned message is told from its neighbours by its content")
    func returned() async {
        let answer = PublishResult.returned(code: 312, text: "NO_ROUTE")
        let results = await results(4) { window in
            window.markReturned(.init(exchange: "", routingKey: "k0", messageID: nil, body: [2], result: answer))
            window.markReturned(.init(exchange: "", routingKey: "k0", messageID: nil, body: [9], result: answer))
            window.settle(4, multiple: true, .confirmed)
        }
        #expect(results == [.confirmed, .confirmed, answer, .confirmed])
    }

    @Test("confirms nobody waits for are ignored, and a lost connection leaves the rest unknown")
    func strayAndLost() async {
        let results = await results(3) { window in
            window.settle(2, multiple: false, .confirmed)
            window.settle(2, multiple: false, .refused)
            window.settle(99, multiple: false, .refused)
            window.abandon("lost")
        }
        #expect(results == [.unknown("lost"), .confirmed, .refused])
    }

    @Test("256 unconfirmed messages fill it, and a gap at the bottom keeps it full")
    func capacity() async {
        _ = await results(256) { window in
            #expect(!window.hasRoom)
            window.settle(2, multiple: false, .confirmed)
            #expect(!window.hasRoom)
            window.settle(1, multiple: false, .confirmed)
            #expect(window.hasRoom)
            window.settle(256, multiple: true, .confirmed)
        }
    }
}
