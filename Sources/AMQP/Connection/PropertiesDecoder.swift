import CRabbit

/// Copies message properties out of the library's memory.
struct PropertiesDecoder {
    private var contentType = RecentText()
    private var contentEncoding = RecentText()
    private var userID = RecentText()
    private var appID = RecentText()
    private var type = RecentText()
    private var replyTo = RecentText()

    mutating func properties(_ source: amqp_basic_properties_t) -> AMQPProperties {
        var result = AMQPProperties()
        if source.has(AMQP_BASIC_CONTENT_TYPE_FLAG) { result.contentType = contentType.text(source.content_type) }
        if source.has(AMQP_BASIC_CONTENT_ENCODING_FLAG) {
            result.contentEncoding = contentEncoding.text(source.content_encoding)
        }
        if source.has(AMQP_BASIC_MESSAGE_ID_FLAG) { result.messageID = source.message_id.text }
        if source.has(AMQP_BASIC_CORRELATION_ID_FLAG) { result.correlationID = source.correlation_id.text }
        if source.has(AMQP_BASIC_USER_ID_FLAG) { result.userID = userID.text(source.user_id) }
        if source.has(AMQP_BASIC_APP_ID_FLAG) { result.appID = appID.text(source.app_id) }
        if source.has(AMQP_BASIC_TYPE_FLAG) { result.type = type.text(source.type) }
        if source.has(AMQP_BASIC_REPLY_TO_FLAG) { result.replyTo = replyTo.text(source.reply_to) }
        if source.has(AMQP_BASIC_EXPIRATION_FLAG) { result.expiration = source.expiration.text }
        if source.has(AMQP_BASIC_PRIORITY_FLAG) { result.priority = source.priority }
        if source.has(AMQP_BASIC_TIMESTAMP_FLAG) { result.timestamp = Int64(clamping: source.timestamp) }
        if source.has(AMQP_BASIC_HEADERS_FLAG) { result.headers = AMQPValue.members(of: source.headers) }
        return result
    }
}

extension amqp_basic_properties_t {
    fileprivate func has(_ flag: Int32) -> Bool {
        _flags & amqp_flags_t(flag) != 0
    }
}

extension AMQPProperties {
    /// The library's form; strings and tables live in the pool.
    func encoded(in pool: borrowing AMQPPool) -> amqp_basic_properties_t {
        var result = amqp_basic_properties_t()
        result.delivery_mode = UInt8(AMQP_DELIVERY_PERSISTENT.rawValue)
        result._flags = amqp_flags_t(AMQP_BASIC_DELIVERY_MODE_FLAG)
        Self.set(contentType, AMQP_BASIC_CONTENT_TYPE_FLAG, &result._flags, &result.content_type, pool)
        Self.set(contentEncoding, AMQP_BASIC_CONTENT_ENCODING_FLAG, &result._flags, &result.content_encoding, pool)
        Self.set(messageID, AMQP_BASIC_MESSAGE_ID_FLAG, &result._flags, &result.message_id, pool)
        Self.set(correlationID, AMQP_BASIC_CORRELATION_ID_FLAG, &result._flags, &result.correlation_id, pool)
        Self.set(userID, AMQP_BASIC_USER_ID_FLAG, &result._flags, &result.user_id, pool)
        Self.set(appID, AMQP_BASIC_APP_ID_FLAG, &result._flags, &result.app_id, pool)
        Self.set(type, AMQP_BASIC_TYPE_FLAG, &result._flags, &result.type, pool)
        Self.set(replyTo, AMQP_BASIC_REPLY_TO_FLAG, &result._flags, &result.reply_to, pool)
        Self.set(expiration, AMQP_BASIC_EXPIRATION_FLAG, &result._flags, &result.expiration, pool)
        encodeOthers(into: &result, pool)
        return result
    }

    private func encodeOthers(into result: inout amqp_basic_properties_t, _ pool: borrowing AMQPPool) {
        if let priority {
            result.priority = priority
            result._flags |= amqp_flags_t(AMQP_BASIC_PRIORITY_FLAG)
        }
        if let timestamp {
            result.timestamp = UInt64(clamping: timestamp)
            result._flags |= amqp_flags_t(AMQP_BASIC_TIMESTAMP_FLAG)
        }
        if !headers.isEmpty {
            result.headers = pool.table(headers)
            result._flags |= amqp_flags_t(AMQP_BASIC_HEADERS_FLAG)
        }
    }

    private static func set(
        _ text: String?,
        _ flag: Int32,
        _ flags: inout amqp_flags_t,
        _ field: inout amqp_bytes_t,
        _ pool: borrowing AMQPPool
    ) {
        guard let text else { return }
        field = pool.bytes(text)
        flags |= amqp_flags_t(flag)
    }
}
