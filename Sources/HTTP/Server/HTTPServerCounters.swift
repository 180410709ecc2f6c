import Synchronization

/// What a server has done since it started.
public struct HTTPServerCounters: Sendable, Equatable {
    /// Connections that were taken on.
    public var connectionsAccepted = 0
    /// Connections that are open.
    public var connectionsOpen = 0
    /// Connections that were closed at once because of a limit.
    public var connectionsRefused = 0
    /// Requests whose request line was read.
    public var requestsStarted = 0
    /// Requests that are being received, handled or answered.
    public var requestsOpen = 0
    /// Responses that were handed over for sending.
    public var responses = 0
    /// Requests that ended because the client was too slow or a handler took too long.
    public var timeouts = 0
    /// Requests whose client went away before the response was sent.
    public var disconnects = 0
    /// Octets of request bodies.
    public var bytesReceived = 0
    /// Octets of response bodies that were handed over for sending.
    public var bytesSent = 0
}

/// The counters while they count.
final class CounterSet: Sendable {
    let connectionsAccepted = Atomic<Int>(0)
    let connectionsOpen = Atomic<Int>(0)
    let connectionsRefused = Atomic<Int>(0)
    let requestsStarted = Atomic<Int>(0)
    let requestsOpen = Atomic<Int>(0)
    let responses = Atomic<Int>(0)
    let timeouts = Atomic<Int>(0)
    let disconnects = Atomic<Int>(0)
    let bytesReceived = Atomic<Int>(0)
    let bytesSent = Atomic<Int>(0)

    /// Reads each counter; together they are no moment's picture.
    var snapshot: HTTPServerCounters {
        HTTPServerCounters(
            connectionsAccepted: connectionsAccepted.load(ordering: .relaxed),
            connectionsOpen: connectionsOpen.load(ordering: .relaxed),
            connectionsRefused: connectionsRefused.load(ordering: .relaxed),
            requestsStarted: requestsStarted.load(ordering: .relaxed),
            requestsOpen: requestsOpen.load(ordering: .relaxed),
            responses: responses.load(ordering: .relaxed),
            timeouts: timeouts.load(ordering: .relaxed),
            disconnects: disconnects.load(ordering: .relaxed),
            bytesReceived: bytesReceived.load(ordering: .relaxed),
            bytesSent: bytesSent.load(ordering: .relaxed)
        )
    }
}
