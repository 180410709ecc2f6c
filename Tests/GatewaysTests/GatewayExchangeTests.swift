import DispatchCore
import Gateways
import Testing

@Suite("Gateway exchange", .timeLimit(.minutes(4)))
struct GatewayExchangeTests {
    private let yes = DeliveryOutcome.accepted(gatewayID: nil)

    @Test("answers are found under their index, and all of them make it complete")
    func complete() async {
        let exchange = GatewayExchange(count: 3)
        exchange.answer([(2, yes), (0, .unanswered)])
        #expect(!exchange.isComplete)
        exchange.answer(1, yes)
        #expect(exchange.isComplete)
        #expect(await exchange.outcomes(within: .seconds(60)) == [.unanswered, yes, yes])
    }

    @Test("an exchange for nothing is complete")
    func empty() async {
        #expect(await GatewayExchange(count: 0).outcomes(within: .seconds(60)) == [])
    }

    @Test("a second answer is ignored")
    func second() async {
        let exchange = GatewayExchange(count: 2)
        exchange.answer([(0, yes), (0, .unanswered)])
        exchange.answer(0, .unanswered)
        #expect(!exchange.isComplete)
        exchange.answer(1, .unanswered)
        #expect(await exchange.outcomes(within: .zero) == [yes, .unanswered])
    }

    @Test("the wait ends with the last answer")
    func wakes() async {
        let exchange = GatewayExchange(count: 2)
        exchange.answer(0, yes)
        async let outcomes = exchange.outcomes(within: .seconds(60))
        exchange.answer(1, yes)
        #expect(await outcomes == [yes, yes])
    }

    @Test("the wait ends with the limit; a late answer is there for the next one")
    func limit() async {
        let exchange = GatewayExchange(count: 2)
        exchange.answer(1, yes)
        #expect(await exchange.outcomes(within: .milliseconds(5)) == [nil, yes])
        exchange.answer(0, .unanswered)
        #expect(await exchange.outcomes(within: .seconds(60)) == [.unanswered, yes])
    }

    @Test("a second wait is not cut short by the first one's alarm")
    func secondWait() async {
        let exchange = GatewayExchange(count: 1)
        _ = await exchange.outcomes(within: .milliseconds(1))
        async let outcomes = exchange.outcomes(within: .seconds(60))
        exchange.answer(0, yes)
        #expect(await outcomes == [yes])
    }

    @Test("a cancelled wait ends at once with what is there", arguments: [true, false])
    func cancellation(isCancelledFirst: Bool) async {
        let exchange = GatewayExchange(count: 2)
        exchange.answer(0, yes)
        let waiting = Task {
            if isCancelledFirst { while !Task.isCancelled { await Task.yield() } }
            return await exchange.outcomes(within: .seconds(600))
        }
        if !isCancelledFirst { await Task.yield() }
        waiting.cancel()
        #expect(await waiting.value == [yes, nil])
    }

    @Test("many threads answer everything exactly once")
    func threads() async {
        let exchange = GatewayExchange(count: 1000)
        await withTaskGroup { group in
            for worker in 0..<8 {
                group.addTask {
                    for index in 0..<1000 {
                        exchange.answer((index + worker * 125) % 1000, .accepted(gatewayID: "\(worker)"))
                    }
                }
            }
            let outcomes = await exchange.outcomes(within: .seconds(60))
            #expect(!outcomes.contains(nil))
            await group.waitForAll()
            #expect(await exchange.outcomes(within: .zero) == outcomes)
        }
    }
}
