import Glibc

/// What a thread of the library does, from its first connection to its end.
struct LibraryLoop: ~Copyable {
    private let worker: LibraryWorker
    private let daemon: LibraryDaemon
    private var sockets: [pollfd]

    /// Nil without memory or descriptors.
    init?(_ worker: LibraryWorker) {
        guard let daemon = LibraryDaemon(worker) else { return nil }
        self.worker = worker
        sockets = [worker.wake.descriptor, daemon.descriptor].map {
            pollfd(fd: $0, events: Int16(POLLIN), revents: 0)
        }
        self.daemon = daemon
    }

    consuming func run() {
        while !worker.isStopping {
            wait()
            for arrival in worker.takeArrivals() {
                worker.handing()
                worker.handed(arrival, isTaken: daemon.add(arrival))
            }
            daemon.run()
        }
        for arrival in worker.takeArrivals() {
            close(arrival.socket)
            worker.over(arrival.peer)
        }
    }

    /// Waits until a socket is ready, time is up, or the worker is woken.
    private mutating func wait() {
        let patience = daemon.patience
        let waits = patience != 0 && worker.wake.beginWait()
        let count = waits ? poll(&sockets, nfds_t(sockets.count), patience) : 0
        worker.wake.endWait(isReadable: count > 0 && sockets[0].revents != 0)
    }
}
