import CRabbit

extension AMQPValue {
    /// Copies a table out of the library's memory.
    static func members(of table: amqp_table_t, depth: Int = 1) -> [String: AMQPValue] {
        let entries = UnsafeBufferPointer(start: table.entries, count: Int(table.num_entries))
        guard depth <= maximumDepth, !entries.isEmpty else { return [:] }
        var members: [String: AMQPValue] = [:]
        members.reserveCapacity(entries.count)
        for entry in entries { members[entry.key.text] = AMQPValue(entry.value, depth: depth) }
        return members
    }

    private init(_ field: amqp_field_value_t, depth: Int) {
        switch amqp_field_value_kind_t(rawValue: UInt32(field.kind)) {
        case AMQP_FIELD_KIND_UTF8: self = Self.text(field.value.bytes)
        case AMQP_FIELD_KIND_BYTES: self = .bytes(field.value.bytes.octets)
        case AMQP_FIELD_KIND_BOOLEAN: self = .bool(field.value.boolean != 0)
        case AMQP_FIELD_KIND_F32: self = .double(Double(field.value.f32))
        case AMQP_FIELD_KIND_F64: self = .double(field.value.f64)
        case AMQP_FIELD_KIND_DECIMAL: self = .double(field.value.decimal.number)
        case AMQP_FIELD_KIND_TIMESTAMP: self = .timestamp(Int64(clamping: field.value.u64))
        case AMQP_FIELD_KIND_TABLE: self = Self.nested(field.value.table, depth: depth + 1)
        case AMQP_FIELD_KIND_ARRAY: self = Self.nested(field.value.array, depth: depth + 1)
        case let kind: self = Self.integer(field, kind: kind)
        }
    }

    private static func integer(_ field: amqp_field_value_t, kind: amqp_field_value_kind_t) -> AMQPValue {
        switch kind {
        case AMQP_FIELD_KIND_I8: .int(Int64(field.value.i8))
        case AMQP_FIELD_KIND_U8: .int(Int64(field.value.u8))
        case AMQP_FIELD_KIND_I16: .int(Int64(field.value.i16))
        case AMQP_FIELD_KIND_U16: .int(Int64(field.value.u16))
        case AMQP_FIELD_KIND_I32: .int(Int64(field.value.i32))
        case AMQP_FIELD_KIND_U32: .int(Int64(field.value.u32))
        case AMQP_FIELD_KIND_I64: .int(field.value.i64)
        case AMQP_FIELD_KIND_U64: .int(Int64(clamping: field.value.u64))
        default: .null
        }
    }

    private static func text(_ bytes: amqp_bytes_t) -> AMQPValue {
        guard let text = String(validating: bytes.buffer, as: UTF8.self) else { return .bytes(bytes.octets) }
        return .string(text)
    }

    private static func nested(_ table: amqp_table_t, depth: Int) -> AMQPValue {
        depth <= maximumDepth ? .table(members(of: table, depth: depth)) : .null
    }

    private static func nested(_ array: amqp_array_t, depth: Int) -> AMQPValue {
        guard depth <= maximumDepth else { return .null }
        let entries = UnsafeBufferPointer(start: array.entries, count: Int(array.num_entries))
        return .array(entries.map { AMQPValue($0, depth: depth) })
    }
}

extension amqp_decimal_t {
    fileprivate var number: Double {
        var scale = 1.0
        for _ in 0..<decimals { scale *= 10 }
        return Double(Int32(bitPattern: value)) / scale
    }
}
