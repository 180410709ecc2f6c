import Testing

@testable import AMQP

@Suite("AMQPValue")
struct AMQPValueTests {
    @Test("a table survives the library's form")
    func roundTrip() {
        let table: [String: AMQPValue] = [
            "text": "größe", "empty": "", "number": 42, "negative": .int(.min), "flag": true, "ratio": .double(0.25),
            "octets": .bytes([0, 255]), "when": .timestamp(1_700_000_000), "nothing": .null,
            "nested": .table(["list": .array([1, "two", .array([]), .table([:])])]),
        ]
        let pool = AMQPPool()
        #expect(AMQPValue.members(of: pool.table(table)) == table)
    }

    @Test("deeper values than allowed are read as null")
    func depth() {
        var value: AMQPValue = "deep"
        for _ in 0..<50 { value = .table(["in": value]) }
        let pool = AMQPPool()
        var level = AMQPValue.table(AMQPValue.members(of: pool.table(["in": value])))
        var count = 0
        while case .table(let members) = level, let next = members["in"] {
            count += 1
            level = next
        }
        #expect(count == AMQPValue.maximumDepth)
        #expect(level == .null)
    }

    @Test("the computed size is what the library writes")
    func size() {
        let table: [String: AMQPValue] = [
            "a": 1, "bc": "text", "d": .array([true, .null, .double(1)]), "e": .table(["f": .bytes([1])]),
        ]
        // 4 length; a: 2 + 9; bc: 3 + 5 + 4; d: 2 + 5 + 2 + 1 + 9; e: 2 + 1 + 4 + 2 + 5 + 1
        #expect(AMQPValue.encodedSize(ofTable: table, depth: 1) == 4 + 11 + 12 + 19 + 15)
    }

    @Test("messages the library must not see are refused with a reason")
    func refusals() {
        let long = String(repeating: "x", count: 256)
        #expect(AMQPMessage(routingKey: "k", body: []).refusal == nil)
        #expect(AMQPMessage(routingKey: long, body: []).refusal != nil)
        #expect(AMQPMessage(exchange: long, routingKey: "", body: []).refusal != nil)
        #expect(AMQPMessage(routingKey: "k", body: [], properties: .init(messageID: long)).refusal != nil)
        let wide = AMQPProperties(headers: ["h": .string(String(repeating: "x", count: 100_000))])
        #expect(AMQPMessage(routingKey: "k", body: [], properties: wide).refusal != nil)
        var value: AMQPValue = 1
        for _ in 0..<40 { value = .array([value]) }
        #expect(AMQPMessage(routingKey: "k", body: [], properties: .init(headers: ["h": value])).refusal != nil)
        #expect(AMQPMessage(routingKey: "k", body: [], properties: .init(headers: [long: 1])).refusal != nil)
        let body = [UInt8](repeating: 0, count: AMQPMessage.maximumBodySize + 1)
        #expect(AMQPMessage(routingKey: "k", body: body).refusal != nil)
    }

    @Test("the delivery count is 0 when the header is absent")
    func deliveryCount() {
        func delivery(_ headers: [String: AMQPValue]) -> AMQPDelivery {
            AMQPDelivery(
                tag: DeliveryTag(value: 1, epoch: 1),
                body: [],
                routingKey: "",
                exchange: "",
                isRedelivered: false,
                properties: AMQPProperties(headers: headers)
            )
        }
        #expect(delivery([:]).deliveryCount == 0)
        #expect(delivery(["x-delivery-count": 3]).deliveryCount == 3)
        #expect(delivery(["x-delivery-count": "no"]).deliveryCount == 0)
    }
}
