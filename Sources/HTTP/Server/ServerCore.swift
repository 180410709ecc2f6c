import CMicroHTTPD
import Glibc
import Synchronization

/// What the library's callbacks, the handlers' tasks and the server's own thread share.
final class ServerCore: Sendable {
    /// The time limits in milliseconds.
    struct Limits: Sendable {
        let idle: Int64
        let receive: Int64
        let handler: Int64
        let send: Int64
    }

    let configuration: HTTPServerConfiguration
    let policy: @Sendable (HTTPRequestHead) -> BodyPolicy
    let handler: @Sendable (HTTPRequest) async -> HTTPResponse
    let faultResponse: @Sendable (HTTPStatus) -> HTTPResponse
    let limits: Limits
    let counters = CounterSet()
    let wake: WakeSignal

    /// From here on each response closes its connection.
    let isDraining = Atomic<Bool>(false)

    /// From here on nothing is answered and nothing suspended.
    let isStopping = Atomic<Bool>(false)

    /// Descriptors on their way to `LingeringSockets`.
    private let lingering = Mutex<[Int32]>([])

    private let connections = Mutex<[ObjectIdentifier: ClientConnection]>([:])

    private let addresses = Mutex(AddressCounts())

    init(
        configuration: HTTPServerConfiguration,
        wake: WakeSignal,
        policy: @escaping @Sendable (HTTPRequestHead) -> BodyPolicy,
        faultResponse: @escaping @Sendable (HTTPStatus) -> HTTPResponse,
        handler: @escaping @Sendable (HTTPRequest) async -> HTTPResponse
    ) {
        self.configuration = configuration
        self.wake = wake
        self.policy = policy
        self.faultResponse = faultResponse
        self.handler = handler
        limits = Limits(
            idle: configuration.idleTimeout.milliseconds,
            receive: configuration.receiveTimeLimit.milliseconds,
            handler: configuration.handlerTimeLimit.milliseconds,
            send: configuration.sendTimeLimit.milliseconds
        )
    }

    deinit {
        for descriptor in takeLingering() { close(descriptor) }
    }

    // MARK: Called by the library's threads

    func opened(_ connection: ClientConnection) {
        connections.withLock { $0[ObjectIdentifier(connection)] = connection }
    }

    func closed(_ connection: ClientConnection) {
        if let descriptor = connection.closed() {
            lingering.withLock { $0.append(descriptor) }
            wake.signal()
        }
        _ = connections.withLock { $0.removeValue(forKey: ObjectIdentifier(connection)) }
    }

    func begin(_ connection: ClientConnection, rawTarget: [UInt8]) -> Exchange {
        let exchange = Exchange(server: self, connection: connection, rawTarget: rawTarget)
        connection.begin(exchange)
        counters.requestsStarted.wrappingAdd(1, ordering: .relaxed)
        counters.requestsOpen.wrappingAdd(1, ordering: .relaxed)
        return exchange
    }

    func end(_ exchange: Exchange, isComplete: Bool) {
        exchange.finish(isComplete: isComplete)
        exchange.connection.end(exchange)
        counters.requestsOpen.wrappingSubtract(1, ordering: .relaxed)
        if isDraining.load(ordering: .relaxed) { wake.signal() }
    }

    // MARK: Called by the server's thread

    /// Counts a connection that the library is about to get; false when there are as many as there may be.
    ///
    /// Only the server's thread takes places, so what it has counted can at most become less.
    func takePlace(of peer: HTTPPeer) -> Bool {
        guard counters.connectionsOpen.load(ordering: .relaxed) < configuration.connectionLimit else { return false }
        let most = configuration.connectionsPerAddressLimit
        guard most == 0 || addresses.withLock({ $0.take(peer, most: most) }) else { return false }
        counters.connectionsOpen.wrappingAdd(1, ordering: .relaxed)
        return true
    }

    /// A connection is gone, or was not taken at all.
    func givePlaceBack(of peer: HTTPPeer) {
        if configuration.connectionsPerAddressLimit > 0 { addresses.withLock { $0.giveBack(peer) } }
        counters.connectionsOpen.wrappingSubtract(1, ordering: .relaxed)
    }

    func refused() {
        counters.connectionsRefused.wrappingAdd(1, ordering: .relaxed)
    }

    var allConnections: [ClientConnection] {
        connections.withLock { Array($0.values) }
    }

    /// Hands over the descriptors of connections that linger.
    func takeLingering() -> [Int32] {
        lingering.withLock { descriptors in
            defer { descriptors = [] }
            return descriptors
        }
    }

    /// Whether a request is being received, handled or answered.
    var isBusy: Bool { counters.requestsOpen.load(ordering: .acquiring) > 0 }

    /// Ends all exchanges; no connection is suspended afterwards.
    func abortAll() {
        isStopping.store(true, ordering: .sequentiallyConsistent)
        for connection in allConnections { connection.exchange?.abort() }
    }
}
