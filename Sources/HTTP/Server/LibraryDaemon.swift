import CMicroHTTPD
import Glibc

/// The library for the connections of one thread, which calls it: see `LibraryLoop`.
///
/// The library gets no thread. 0.9.75 asks epoll for 128 events at a time and, when it gets just as many, asks once more,
/// with its whole time limit, before it looks at the first: in a thread of its own, the requests of exactly 128
/// connections that come at one moment wait until anything else happens. `MHD_run` asks without a time limit, and so
/// without such a wait.
///
/// In this mode only `MHD_resume_connection` may be called by other threads: "It is safe to resume a suspended connection
/// at any time." There is no promise for `MHD_add_connection`, and 0.9.75 has no lock around its connections there.
///
/// The library gets no listening socket either: the accepting is ours, to stop when we want.
struct LibraryDaemon: ~Copyable {
    private let pointer: OpaquePointer
    private let context: Unmanaged<LibraryWorker>
    /// "Memory pointer for the certificate": the library reads it at the start only, but does not promise that.
    private let secrets: [UnsafeMutablePointer<CChar>]

    /// Readable when there is something to run for.
    ///
    /// "Request the file descriptor for the \"external\" sockets polling when 'epoll' mode is used."
    let descriptor: Int32

    /// Nil without memory or descriptors, or when the key is none.
    init?(_ worker: LibraryWorker) {
        let context = Unmanaged.passRetained(worker)
        var secrets: [UnsafeMutablePointer<CChar>] = []
        guard let pointer = Self.start(worker.server.configuration, context, &secrets) else {
            context.release()
            Self.free(secrets)
            return nil
        }
        self.pointer = pointer
        self.context = context
        self.secrets = secrets
        descriptor = cmicrohttpd_epoll(pointer)
    }

    deinit {
        // "It is an API violation to call MHD_stop_daemon while having suspended connections"; see `abortAll`.
        MHD_stop_daemon(pointer)
        context.release()
        Self.free(secrets)
    }

    /// "The given client socket will be managed (and closed!) by MHD after this call"; false when it was closed at once.
    func add(_ arrival: LibraryWorker.Arrival) -> Bool {
        withUnsafePointer(to: arrival.address) { address in
            address.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                MHD_add_connection(pointer, arrival.socket, $0, arrival.length) == MHD_Result.YES
            }
        }
    }

    /// Does all there is to do.
    ///
    /// "Run webserver operations (without blocking unless in client callbacks)."
    func run() {
        _ = MHD_run(pointer)
    }

    /// How many milliseconds may pass until `run`, whatever happens; negative for any number.
    ///
    /// "Waiting on epoll FD must not block longer than value returned by MHD_get_timeout() otherwise connections will
    /// \"hung\" with unprocessed data in network buffers and timed-out connections will not be closed."
    var patience: Int32 {
        var milliseconds: UInt64 = 0
        return MHD_get_timeout(pointer, &milliseconds) == MHD_Result.YES ? Int32(clamping: milliseconds) : -1
    }

    private static func start(
        _ configuration: HTTPServerConfiguration,
        _ context: Unmanaged<LibraryWorker>,
        _ secrets: inout [UnsafeMutablePointer<CChar>]
    ) -> OpaquePointer? {
        var flags = MHD_USE_EPOLL.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
        flags |= MHD_USE_NO_LISTEN_SOCKET.rawValue
        var options = basicOptions(configuration)
        if let security = configuration.transportSecurity {
            flags |= MHD_USE_TLS.rawValue
            options += securityOptions(security, &secrets)
        }
        options.append(MHD_OptionItem(option: .END, value: 0, ptr_value: nil))
        return cmicrohttpd_start(
            flags,
            LibraryCallbacks.access,
            LibraryCallbacks.target,
            LibraryCallbacks.completed,
            LibraryCallbacks.connection,
            context.toOpaque(),
            options
        )
    }

    private static func basicOptions(_ configuration: HTTPServerConfiguration) -> [MHD_OptionItem] {
        let seconds = max(1, Int((configuration.idleTimeout.milliseconds + 999) / 1000))
        return [
            // A limit that is never met: `ServerCore.takePlace` counts instead, for all threads together.
            option(.CONNECTION_LIMIT, configuration.connectionLimit + 1),
            option(.CONNECTION_TIMEOUT, seconds),
            // The fields' records and the response's header need room too. All of it is cleared for each request.
            option(.CONNECTION_MEMORY_LIMIT, configuration.headerLimit + 8 * 1024),
            // Not strict: for a missing Host field 0.9.75 sends the header of its 400 twice. `RequestCheck` is strict.
            option(.STRICT_FOR_CLIENT, 0),
            // "Allows MHD to use network functions that could generate SIGPIPE, like `sendfile()`"; see `NativeThread`.
            option(.SIGPIPE_HANDLED_BY_APP, 1),
        ]
    }

    private static func securityOptions(
        _ security: HTTPTransportSecurity,
        _ secrets: inout [UnsafeMutablePointer<CChar>]
    ) -> [MHD_OptionItem] {
        let priorities = "NORMAL:-VERS-ALL:+VERS-TLS1.3:+VERS-TLS1.2:%SERVER_PRECEDENCE"
        let values = [security.privateKey, security.certificate, Array(priorities.utf8)]
        let kinds: [MHD_OPTION] = [.HTTPS_MEM_KEY, .HTTPS_MEM_CERT, .HTTPS_PRIORITIES]
        var options: [MHD_OptionItem] = []
        for (kind, value) in zip(kinds, values) {
            let copy = UnsafeMutablePointer<CChar>.allocate(capacity: value.count + 1)
            for (offset, byte) in value.enumerated() { copy[offset] = CChar(bitPattern: byte) }
            copy[value.count] = 0
            secrets.append(copy)
            options.append(MHD_OptionItem(option: kind, value: 0, ptr_value: copy))
        }
        return options
    }

    private static func option(_ kind: MHD_OPTION, _ value: Int) -> MHD_OptionItem {
        MHD_OptionItem(option: kind, value: value, ptr_value: nil)
    }

    private static func free(_ secrets: [UnsafeMutablePointer<CChar>]) {
        for secret in secrets {
            explicit_bzero(secret, strlen(secret))
            secret.deallocate()
        }
    }
}
