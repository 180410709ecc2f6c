import DispatchCore
import Testing

@Suite("Delivery states")
struct DeliveryStateTests {
    @Test("only a retrying delivery can become anything", arguments: DeliveryState.allCases, DeliveryState.allCases)
    func transitions(from: DeliveryState, to: DeliveryState) {
        #expect(from.canTransition(to: to) == (from == .retrying))
    }

    @Test("numbers and names are what tables and views hold")
    func spelling() {
        let expected: [(Int16, String)] = [
            (1, "retrying"), (2, "accepted"), (3, "failed"), (4, "expired"), (5, "suppressed"), (6, "cancelled"),
            (7, "unknown"),
        ]
        #expect(DeliveryState.allCases.count == expected.count)
        for (number, name) in expected {
            #expect(DeliveryState(rawValue: number)?.name == name)
            #expect(DeliveryState(name: name)?.rawValue == number)
        }
        #expect(DeliveryState(name: "delivered") == nil)
    }
}
