import CMicroHTTPD
import Glibc

/// Threads of the system, for what blocks.
enum NativeThread {
    private final class Start {
        let name: String
        let body: @Sendable () -> Void

        init(_ name: String, _ body: @escaping @Sendable () -> Void) {
            self.name = name
            self.body = body
        }
    }

    /// Handlers begin on such threads, with as much stack as elsewhere.
    private static let stackSize = 8 * 1024 * 1024

    /// Starts a thread that is to be joined or detached; nil when the system has no more.
    static func start(_ name: String, _ body: @escaping @Sendable () -> Void) -> pthread_t? {
        let box = Unmanaged.passRetained(Start(name, body))
        var attributes = pthread_attr_t()
        pthread_attr_init(&attributes)
        defer { pthread_attr_destroy(&attributes) }
        pthread_attr_setstacksize(&attributes, stackSize)
        var thread = pthread_t()
        guard pthread_create(&thread, &attributes, main, box.toOpaque()) == 0 else {
            box.release()
            return nil
        }
        return thread
    }

    private static let main: @convention(c) (UnsafeMutableRawPointer?) -> UnsafeMutableRawPointer? = { pointer in
        guard let pointer else { return nil }
        let start = Unmanaged<Start>.fromOpaque(pointer).takeRetainedValue()
        cmicrohttpd_name_thread(start.name)
        blockBrokenPipes()
        start.body()
        return nil
    }

    /// A client that is gone is an error of `sendfile`, not a signal.
    private static func blockBrokenPipes() {
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGPIPE)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
    }
}
