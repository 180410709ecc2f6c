import CRabbit
import Glibc

extension AMQPHandle {
    /// Frames of at most 128 KiB, the broker's own default.
    private static let frameSize = 131_072

    /// A connected socket with its options set, before the login.
    static func opened(_ endpoint: AMQPEndpoint) throws(AMQPError) -> amqp_connection_state_t {
        guard let connection = amqp_new_connection() else {
            throw AMQPError(.connectFailed, operation: "connect", reason: "out of memory")
        }
        do throws(AMQPError) {
            let socket = try makeSocket(connection, endpoint)
            var limit = timeval(tv_sec: endpoint.tuning.connectSeconds, tv_usec: 0)
            let status = amqp_socket_open_noblock(socket, endpoint.host, Int32(endpoint.port), &limit)
            guard status == AMQP_STATUS_OK.rawValue else { throw connectError(status) }
            setOptions(amqp_get_sockfd(connection), endpoint.tuning)
            return connection
        } catch {
            amqp_destroy_connection(connection)
            throw error
        }
    }

    private static func connectError(_ status: Int32) -> AMQPError {
        let error = AMQPError(status: status, operation: "connect")
        guard error.code == .connectionLost || error.code == .protocolViolation else { return error }
        return AMQPError(.connectFailed, operation: "connect", reason: error.reason)
    }

    private static func makeSocket(
        _ connection: amqp_connection_state_t,
        _ endpoint: AMQPEndpoint
    ) throws(AMQPError) -> OpaquePointer {
        let socket = endpoint.usesTLS ? amqp_ssl_socket_new(connection) : amqp_tcp_socket_new(connection)
        guard let socket else { throw AMQPError(.connectFailed, operation: "connect", reason: "no socket") }
        guard endpoint.usesTLS else { return socket }
        // Verification of peer and host is on by default, but the library loads no certificate authorities itself.
        try require(amqp_ssl_socket_set_cacert(socket, endpoint.certificateAuthorities), "cacert cannot be read")
        try require(amqp_ssl_socket_set_ssl_versions(socket, AMQP_TLSv1_2, AMQP_TLSvLATEST), "no TLS 1.2")
        if let certificate = endpoint.clientCertificate, let key = endpoint.clientKey {
            try require(amqp_ssl_socket_set_key(socket, certificate, key), "cert or key cannot be read")
        }
        return socket
    }

    private static func require(_ status: Int32, _ reason: String) throws(AMQPError) {
        guard status == AMQP_STATUS_OK.rawValue else {
            throw AMQPError(.tlsFailed, operation: "connect", reason: reason)
        }
    }

    private static func setOptions(_ socket: Int32, _ tuning: AMQPTuning) {
        let options: [(Int32, Int32, Int32)] = [
            (SOL_SOCKET, SO_KEEPALIVE, 1),
            (Int32(IPPROTO_TCP), TCP_KEEPIDLE, 10),
            (Int32(IPPROTO_TCP), TCP_KEEPINTVL, 5),
            (Int32(IPPROTO_TCP), TCP_KEEPCNT, 3),
            (Int32(IPPROTO_TCP), TCP_USER_TIMEOUT, tuning.userTimeoutMilliseconds),
        ]
        for (level, name, value) in options {
            var value = value
            setsockopt(socket, level, name, &value, socklen_t(MemoryLayout<Int32>.size))
        }
    }

    /// Negotiates and logs in, with limits on every later method.
    static func login(
        _ connection: amqp_connection_state_t,
        _ endpoint: AMQPEndpoint,
        name: String
    ) throws(AMQPError) {
        var limit = timeval(tv_sec: endpoint.tuning.connectSeconds, tv_usec: 0)
        amqp_set_handshake_timeout(connection, &limit)
        limit.tv_sec = endpoint.tuning.rpcSeconds
        amqp_set_rpc_timeout(connection, &limit)
        let pool = AMQPPool()
        var properties = pool.table(clientProperties(name: name))
        let heartbeat = Int32(endpoint.tuning.heartbeat)
        let reply =
            endpoint.usesExternalLogin
            ? crabbit_login_external(
                connection,
                endpoint.virtualHost,
                Int32(frameSize),
                heartbeat,
                &properties,
                endpoint.user
            )
            : crabbit_login_plain(
                connection,
                endpoint.virtualHost,
                Int32(frameSize),
                heartbeat,
                &properties,
                endpoint.user,
                endpoint.password
            )
        if let error = AMQPError(reply: reply, operation: "login") { throw error }
    }

    /// Without these capabilities the broker neither tells that a queue is gone nor that it stopped reading.
    private static func clientProperties(name: String) -> [String: AMQPValue] {
        [
            "product": "Dispatcher",
            "connection_name": .string(name),
            "capabilities": .table([
                "consumer_cancel_notify": true,
                "connection.blocked": true,
                "publisher_confirms": true,
                "basic.nack": true,
                "authentication_failure_close": true,
            ]),
        ]
    }
}
