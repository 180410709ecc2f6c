import CMicroHTTPD
import Glibc

/// The running library: its threads, and the connections given to it.
///
/// The library gets no listening socket. In 0.9.75 `MHD_quiesce_daemon` removes that socket from the threads' epoll sets
/// while the threads may remove it too, and the loser calls the panic function, which aborts the process. With
/// `MHD_add_connection` the accepting is ours, to stop when we want.
///
/// Known, and not mended here: 0.9.75 asks epoll for 128 events at a time and, when it gets just as many, asks once more,
/// with its whole time limit, before it looks at the first. If exactly 128 connections of a thread become ready at one
/// moment, they wait until anything else happens on that thread: a new connection, another request, an answer. Polling by
/// `poll` has no such gap, but costs 1 ms a request beside 3,800 idle connections.
struct LibraryDaemon: ~Copyable {
    private let pointer: OpaquePointer
    private let context: Unmanaged<ServerCore>
    /// "Memory pointer for the certificate": the library reads it at the start only, but does not promise that.
    private let secrets: [UnsafeMutablePointer<CChar>]

    init(_ server: ServerCore) throws(HTTPServerError) {
        let context = Unmanaged.passRetained(server)
        var secrets: [UnsafeMutablePointer<CChar>] = []
        guard let pointer = Self.start(server.configuration, context, &secrets) else {
            context.release()
            Self.free(secrets)
            throw .library
        }
        self.pointer = pointer
        self.context = context
        self.secrets = secrets
    }

    deinit {
        // "It is an API violation to call MHD_stop_daemon while having suspended connections"; see `abortAll`.
        MHD_stop_daemon(pointer)
        context.release()
        Self.free(secrets)
    }

    /// "The given client socket will be managed (and closed!) by MHD after this call"; false when it was closed at once.
    func add(_ socket: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Bool {
        MHD_add_connection(pointer, socket, address, length) == MHD_Result.YES
    }

    private static func start(
        _ configuration: HTTPServerConfiguration,
        _ context: Unmanaged<ServerCore>,
        _ secrets: inout [UnsafeMutablePointer<CChar>]
    ) -> OpaquePointer? {
        var flags = MHD_USE_EPOLL_INTERNAL_THREAD.rawValue | MHD_ALLOW_SUSPEND_RESUME.rawValue
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
        var options = [
            option(.CONNECTION_LIMIT, unreachableLimit(configuration)),
            option(.CONNECTION_TIMEOUT, seconds),
            // The fields' records and the response's header need room too. All of it is cleared for each request.
            option(.CONNECTION_MEMORY_LIMIT, configuration.headerLimit + 8 * 1024),
            // Not strict: for a missing Host field 0.9.75 sends the header of its 400 twice. `RequestCheck` is strict.
            option(.STRICT_FOR_CLIENT, 0),
            // Handlers begin here, with as much stack as elsewhere.
            option(.THREAD_STACK_SIZE, 8 * 1024 * 1024),
        ]
        if configuration.connectionsPerAddressLimit > 0 {
            options.append(option(.PER_IP_CONNECTION_LIMIT, configuration.connectionsPerAddressLimit))
        }
        // "Enable thread pooling by setting this value to to something greater than 1."
        if configuration.threads > 1 { options.append(option(.THREAD_POOL_SIZE, configuration.threads)) }
        return options
    }

    /// A limit that no thread of the library ever meets: `ServerCore.takePlace` counts instead.
    ///
    /// 0.9.75 divides its limit by its threads, and a thread that finds it reached when it takes over a queued connection
    /// leaves its mutex locked and never comes back.
    private static func unreachableLimit(_ configuration: HTTPServerConfiguration) -> Int {
        (configuration.connectionLimit + 1) * configuration.threads
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
