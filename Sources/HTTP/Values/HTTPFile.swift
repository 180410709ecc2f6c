import Glibc

/// An open file that responses are sent from; it is closed when nothing refers to it any more.
public final class HTTPFile: Sendable {
    /// The descriptor, which nobody else may close.
    public let descriptor: Int32

    private let whenClosed: (@Sendable () -> Void)?

    /// Takes over a descriptor of a regular file; `whenClosed` is called after it was closed.
    public init(takingOver descriptor: Int32, whenClosed: (@Sendable () -> Void)? = nil) {
        self.descriptor = descriptor
        self.whenClosed = whenClosed
    }

    /// Opens a file for reading; nil when the system refuses.
    public convenience init?(path: String) {
        let descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return nil }
        self.init(takingOver: descriptor)
    }

    deinit {
        close(descriptor)
        whenClosed?()
    }

    /// The size in octets; nil when it is not a regular file.
    public var size: UInt64? {
        var information = stat()
        guard fstat(descriptor, &information) == 0, information.st_mode & S_IFMT == S_IFREG else { return nil }
        return UInt64(information.st_size)
    }
}
