import CRabbit
import Glibc

/// One logged-in connection; the thread that made it is the only one that may use it.
///
/// "You cannot share a socket, an amqp_connection_state_t, or a channel between threads using this library"
/// (https://github.com/alanxz/rabbitmq-c#threading). The type is neither copyable nor Sendable, so it stays there.
struct AMQPHandle: ~Copyable {
    /// The only channel: with two, the library may drop queued frames of the other.
    static let channel: amqp_channel_t = 1

    let connection: amqp_connection_state_t
    let stall: StallGuard
    let tuning: AMQPTuning
    private let tick: Int

    /// Connects and logs in; blocks for at most a few seconds (name resolution aside).
    init(connecting endpoint: AMQPEndpoint, name: String) throws(AMQPError) {
        let connection = try Self.opened(endpoint)
        let stall = StallGuard(socket: amqp_get_sockfd(connection), limit: endpoint.tuning.stallLimit)
        do throws(AMQPError) {
            try Self.login(connection, endpoint, name: name)
        } catch {
            amqp_destroy_connection(connection)
            throw error
        }
        self.connection = connection
        self.stall = stall
        self.tuning = endpoint.tuning
        self.tick = Ticker.shared.add { stall.check(at: $0) }
    }

    deinit {
        Ticker.shared.remove(tick)
        amqp_destroy_connection(connection)
    }

    /// Reads the next frame that has arrived; false when there is none.
    ///
    /// The frame points into memory that the next `releaseBuffers` reuses. Timed waits keep the library's heartbeats
    /// going: "amqp_simple_wait_frame_noblock … will also send heartbeats" only from inside such calls.
    func readFrame(_ frame: inout amqp_frame_t) throws(AMQPError) -> Bool {
        var now = timeval(tv_sec: 0, tv_usec: 0)
        let status = amqp_simple_wait_frame_noblock(connection, &frame, &now)
        if status == AMQP_STATUS_OK.rawValue { return true }
        guard status == AMQP_STATUS_TIMEOUT.rawValue else { throw AMQPError(status: status, operation: "read") }
        return false
    }

    /// Lets the library reuse the memory of the frames read so far.
    func releaseBuffers() {
        amqp_maybe_release_buffers(connection)
    }

    /// Waits for input, the signal, or the time at which the library must be called for its heartbeats.
    ///
    /// Only after `readFrame` returned false: then nothing is buffered, neither in the library nor in TLS.
    func wait(_ signal: WakeSignal, milliseconds: Int32? = nil) {
        let limit = tuning.pollMilliseconds
        signal.wait(orInputOn: stall.descriptor, milliseconds: min(limit, milliseconds ?? limit))
    }

    /// Holds small packets back while a burst of messages is written.
    func cork(_ isOn: Bool) {
        var value: Int32 = isOn ? 1 : 0
        setsockopt(stall.descriptor, Int32(IPPROTO_TCP), TCP_CORK, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Says goodbye; an error here changes nothing.
    func close() {
        stall.toggle()
        _ = amqp_connection_close(connection, AMQP_REPLY_SUCCESS)
        stall.toggle()
    }

    /// Turns the state of the last synchronous method into an error.
    func check(_ operation: String) throws(AMQPError) {
        if let error = AMQPError(reply: amqp_get_rpc_reply(connection), operation: operation) { throw error }
    }

    /// Turns a status into an error.
    func check(_ status: Int32, _ operation: String) throws(AMQPError) {
        if status != AMQP_STATUS_OK.rawValue { throw AMQPError(status: status, operation: operation) }
    }
}
