import CRabbit

/// Memory for what goes to the library: strings and tables live until the next `recycle`.
struct AMQPPool: ~Copyable {
    private let pool: UnsafeMutablePointer<amqp_pool_t>

    init() {
        pool = .allocate(capacity: 1)
        init_amqp_pool(pool, 4096)
    }

    deinit {
        empty_amqp_pool(pool)
        pool.deallocate()
    }

    /// Forgets everything given out, keeping the pages.
    func recycle() {
        recycle_amqp_pool(pool)
    }

    func bytes(_ text: String) -> amqp_bytes_t {
        var text = text
        return text.withUTF8 { bytes(UnsafeRawBufferPointer($0)) }
    }

    func bytes(_ source: UnsafeRawBufferPointer) -> amqp_bytes_t {
        guard let base = source.baseAddress, !source.isEmpty else { return amqp_empty_bytes }
        let copy = memory(source.count)
        copy.copyMemory(from: base, byteCount: source.count)
        return amqp_bytes_t(len: source.count, bytes: copy)
    }

    func table(_ members: [String: AMQPValue]) -> amqp_table_t {
        guard !members.isEmpty else { return amqp_empty_table }
        let stride = MemoryLayout<amqp_table_entry_t>.stride
        let entries = memory(members.count * stride).bindMemory(to: amqp_table_entry_t.self, capacity: members.count)
        for (index, member) in members.enumerated() {
            (entries + index).initialize(to: amqp_table_entry_t(key: bytes(member.key), value: field(member.value)))
        }
        return amqp_table_t(num_entries: Int32(members.count), entries: entries)
    }

    private func array(_ values: [AMQPValue]) -> amqp_array_t {
        let stride = MemoryLayout<amqp_field_value_t>.stride
        let entries = memory(max(1, values.count) * stride)
            .bindMemory(to: amqp_field_value_t.self, capacity: max(1, values.count))
        for (index, value) in values.enumerated() { (entries + index).initialize(to: field(value)) }
        return amqp_array_t(num_entries: Int32(values.count), entries: entries)
    }

    private func field(_ value: AMQPValue) -> amqp_field_value_t {
        var field = amqp_field_value_t()
        switch value {
        case .string(let text): field.set(AMQP_FIELD_KIND_UTF8) { $0.bytes = bytes(text) }
        case .int(let number): field.set(AMQP_FIELD_KIND_I64) { $0.i64 = number }
        case .bool(let flag): field.set(AMQP_FIELD_KIND_BOOLEAN) { $0.boolean = flag ? 1 : 0 }
        case .double(let number): field.set(AMQP_FIELD_KIND_F64) { $0.f64 = number }
        case .bytes(let octets): field.set(AMQP_FIELD_KIND_BYTES) { $0.bytes = octets.withUnsafeBytes { bytes($0) } }
        case .table(let members): field.set(AMQP_FIELD_KIND_TABLE) { $0.table = table(members) }
        case .array(let values): field.set(AMQP_FIELD_KIND_ARRAY) { $0.array = array(values) }
        case .timestamp(let seconds): field.set(AMQP_FIELD_KIND_TIMESTAMP) { $0.u64 = UInt64(clamping: seconds) }
        case .null: field.set(AMQP_FIELD_KIND_VOID) { $0.u64 = 0 }
        }
        return field
    }

    private func memory(_ size: Int) -> UnsafeMutableRawPointer {
        guard let memory = amqp_pool_alloc(pool, size) else { preconditionFailure("out of memory") }
        return memory
    }
}

extension amqp_field_value_t {
    fileprivate typealias Union = amqp_field_value_t.__Unnamed_union_value

    fileprivate mutating func set(_ kind: amqp_field_value_kind_t, _ assign: (inout Union) -> Void) {
        self.kind = UInt8(kind.rawValue)
        assign(&value)
    }
}
