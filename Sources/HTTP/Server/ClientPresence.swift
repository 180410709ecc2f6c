/// Whether it matters that a client closed its side of the connection.
enum ClientPresence {
    /// The response is being sent, or the library holds octets that it does not look at.
    case irrelevant
    /// The next octets of a request are expected.
    ///
    /// The library polls edge-triggered and takes a short read for the last, so it can miss an end that came together
    /// with octets, and would then keep the connection until the idle timeout.
    case expected
    /// An answer is being made for it. "While a connection is suspended, MHD will not detect disconnects by the client."
    case awaited(Exchange)
}
