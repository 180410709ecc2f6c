import CRabbit

extension AMQPError {
    /// A failure the library reported by status.
    init(status: Int32, operation: String) {
        let reason = amqp_error_string2(status).map { String(cString: $0) } ?? "status \(status)"
        self.init(Self.code(ofStatus: status), operation: operation, reason: reason)
    }

    /// A failure the library reported as the answer to a method, nil when there was none.
    init?(reply: amqp_rpc_reply_t, operation: String) {
        switch reply.reply_type {
        case AMQP_RESPONSE_NORMAL: return nil
        case AMQP_RESPONSE_SERVER_EXCEPTION: self.init(exception: reply.reply, operation: operation)
        case AMQP_RESPONSE_LIBRARY_EXCEPTION: self.init(status: reply.library_error, operation: operation)
        default: self.init(.protocolViolation, operation: operation, reason: "no answer")
        }
    }

    /// A close method of the broker.
    init(exception method: amqp_method_t, operation: String) {
        guard let close = method.closeReason else {
            self.init(.protocolViolation, operation: operation, reason: "unexpected method \(method.id)")
            return
        }
        let fallback: Code = method.id == AMQP_CHANNEL_CLOSE_METHOD ? .channelClosed : .connectionClosed
        let code = Self.code(ofReply: close.code) ?? fallback
        self.init(code, operation: operation, reason: "\(close.code) \(close.text)", replyCode: close.code)
    }

    private static func code(ofReply code: Int) -> Code? {
        switch code {
        case 403, 530: .accessRefused
        case 404: .notFound
        case 405: .resourceLocked
        case 406: .preconditionFailed
        default: nil
        }
    }

    private static func code(ofStatus status: Int32) -> Code {
        switch amqp_status_enum(status) {
        case AMQP_STATUS_TIMEOUT, AMQP_STATUS_HEARTBEAT_TIMEOUT: .timedOut
        case AMQP_STATUS_HOSTNAME_RESOLUTION_FAILED: .connectFailed
        case AMQP_STATUS_INVALID_PARAMETER, AMQP_STATUS_TABLE_TOO_BIG: .invalidArgument
        case AMQP_STATUS_CONNECTION_CLOSED, AMQP_STATUS_SOCKET_ERROR, AMQP_STATUS_SOCKET_CLOSED: .connectionLost
        case AMQP_STATUS_SSL_ERROR, AMQP_STATUS_SSL_HOSTNAME_VERIFY_FAILED, AMQP_STATUS_SSL_PEER_VERIFY_FAILED,
            AMQP_STATUS_SSL_CONNECTION_FAILED:
            .tlsFailed
        case AMQP_STATUS_BROKER_UNSUPPORTED_SASL_METHOD: .accessRefused
        default: .protocolViolation
        }
    }
}

extension amqp_method_t {
    /// Code and text of a channel.close or connection.close.
    var closeReason: (code: Int, text: String)? {
        guard let decoded else { return nil }
        switch id {
        case AMQP_CHANNEL_CLOSE_METHOD:
            let close = decoded.load(as: amqp_channel_close_t.self)
            return (Int(close.reply_code), close.reply_text.text)
        case AMQP_CONNECTION_CLOSE_METHOD:
            let close = decoded.load(as: amqp_connection_close_t.self)
            return (Int(close.reply_code), close.reply_text.text)
        default:
            return nil
        }
    }
}
