/// Why a server does not start.
public enum HTTPServerError: Error, Sendable, Equatable {
    /// The address cannot be understood, is in use or is not allowed; with the system's error number.
    case address(errno: Int32)
    /// A limit or time of the configuration is not positive.
    case configuration(String)
    /// libmicrohttpd did not start: no threads, no descriptors, or a certificate and key that do not fit.
    case library
    /// It was started before; a server runs once.
    case alreadyStarted
}
