import CRabbit
import Testing

@testable import AMQP

@Suite("Hostile headers", .enabled(if: Broker.isConfigured), .timeLimit(.minutes(4)))
struct HostileHeadersTests {
    @Test("26,000 arrays inside each other crash nothing and read as null below the limit")
    func nestedArrays() async throws {
        try await Broker.withQueue("nested", type: "classic") { queue in
            let endpoint = try Broker.endpoint()
            let sent = await AMQPThread.run(name: "hostile") {
                do throws(AMQPError) {
                    return .success(try Self.publishNested(endpoint, queue, depth: 26_000))
                } catch {
                    return .failure(error)
                }
            }
            try sent.get()
            let consumer = AMQPConsumer(endpoint: endpoint, queue: queue, prefetch: 1, connectionName: queue) { _ in }
            consumer.start()
            let delivery = try #require(await consumer.next(limit: 1).first)
            var value = delivery.properties.headers["deep"]
            var depth = 1
            while case .array(let values)? = value {
                value = values.first
                depth += 1
            }
            #expect(depth == AMQPValue.maximumDepth)
            #expect(value == .null)
            consumer.acknowledge(delivery.tag, multiple: false)
            await consumer.stop()
        }
    }

    /// Built by hand from the inside out: the client itself refuses to send such a message.
    private static func publishNested(_ endpoint: AMQPEndpoint, _ queue: String, depth: Int) throws(AMQPError) {
        let handle = try AMQPHandle(connecting: endpoint, name: "hostile")
        try handle.openChannel()
        let fields = UnsafeMutablePointer<amqp_field_value_t>.allocate(capacity: depth)
        defer { fields.deallocate() }
        for level in 0..<depth {
            fields[level] = amqp_field_value_t()
            fields[level].kind = UInt8(AMQP_FIELD_KIND_ARRAY.rawValue)
            fields[level].value.array = amqp_array_t(
                num_entries: level == 0 ? 0 : 1,
                entries: level == 0 ? nil : fields + (level - 1)
            )
        }
        let pool = AMQPPool()
        var entry = amqp_table_entry_t(key: pool.bytes("deep"), value: fields[depth - 1])
        let (key, connection) = (pool.bytes(queue), handle.connection)
        let status = withUnsafeMutablePointer(to: &entry) { entry in
            var properties = amqp_basic_properties_t()
            properties._flags = amqp_flags_t(AMQP_BASIC_HEADERS_FLAG)
            properties.headers = amqp_table_t(num_entries: 1, entries: entry)
            return amqp_basic_publish(
                connection,
                AMQPHandle.channel,
                amqp_empty_bytes,
                key,
                0,
                0,
                &properties,
                amqp_empty_bytes
            )
        }
        try handle.check(status, "publish")
        handle.close()
    }
}

@Suite("Threads")
struct AMQPThreadTests {
    @Test("a thread that reads from a broker has 8 MiB of stack at least, whatever the limit says")
    func stack() async throws {
        let size = await AMQPThread.run(name: "stack") { () -> Result<Int, AMQPError> in .success(crabbit_stack_size())
        }
        #expect(try size.get() >= 8 * 1024 * 1024)
    }
}
