import Testing

@testable import AMQP

@Suite("ConsumerState")
struct ConsumerStateTests {
    private func delivery(_ value: UInt64, epoch: UInt64 = 1) -> AMQPDelivery {
        AMQPDelivery(
            tag: DeliveryTag(value: value, epoch: epoch),
            body: [],
            routingKey: "",
            exchange: "",
            isRedelivered: false,
            properties: AMQPProperties()
        )
    }

    private func values(_ batch: [AMQPDelivery]?) -> [UInt64]? {
        batch.map { $0.map(\.tag.value) }
    }

    @Test("deliveries are taken in order, up to the limit")
    func order() {
        var state = ConsumerState()
        state.begin(epoch: 1)
        #expect(values(state.take(limit: 2)) == nil)
        _ = state.deliver([delivery(1), delivery(2), delivery(3)])
        #expect(values(state.take(limit: 2)) == [1, 2])
        _ = state.deliver([delivery(4)])
        #expect(values(state.take(limit: 9)) == [3, 4])
        #expect(values(state.take(limit: 9)) == nil)
    }

    @Test("a new channel drops what waits and what was answered before")
    func newChannel() {
        var state = ConsumerState()
        state.begin(epoch: 1)
        _ = state.deliver([delivery(1)])
        #expect(state.answer(.reject(delivery(1).tag, requeue: true)) == true)
        state.begin(epoch: 2)
        #expect(values(state.take(limit: 1)) == nil)
        #expect(state.takeWork().answers.isEmpty)
        #expect(state.answer(.acknowledge(delivery(1).tag, multiple: true)) == false)
        #expect(state.answer(.acknowledge(delivery(1, epoch: 2).tag, multiple: true)) == true)
    }

    @Test("multiple acknowledgements in a row become one, across a rejection they stay apart")
    func coalescing() {
        var state = ConsumerState()
        state.begin(epoch: 1)
        for value in UInt64(1)...3 { _ = state.answer(.acknowledge(delivery(value).tag, multiple: true)) }
        _ = state.answer(.reject(delivery(4).tag, requeue: false))
        _ = state.answer(.acknowledge(delivery(5).tag, multiple: true))
        #expect(state.takeWork().answers.map(\.tag.value) == [3, 4, 5])
        #expect(state.takeWork().answers.isEmpty)
    }

    @Test("stopping ends everything")
    func stopping() {
        var state = ConsumerState()
        state.begin(epoch: 1)
        _ = state.deliver([delivery(1)])
        _ = state.stop()
        #expect(values(state.take(limit: 1)) == [])
        #expect(state.answer(.acknowledge(delivery(1).tag, multiple: true)) == false)
        #expect(state.takeWork().isStopping)
    }
}
