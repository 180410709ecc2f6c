import Glibc

/// The library's threads; they end with it.
struct LibraryPool: ~Copyable {
    private struct Member {
        let worker: LibraryWorker
        let thread: pthread_t
    }

    private let members: [Member]

    init(_ server: ServerCore) throws(HTTPServerError) {
        var members: [Member] = []
        for _ in 0..<server.configuration.threads {
            guard let member = Self.start(server) else {
                Self.end(members)
                throw .library
            }
            members.append(member)
        }
        self.members = members
    }

    deinit {
        Self.end(members)
    }

    /// Gives a connection to the thread that has the fewest.
    func add(_ arrival: LibraryWorker.Arrival) {
        members.min { $0.worker.connectionCount < $1.worker.connectionCount }?.worker.add(arrival)
    }

    private static func start(_ server: ServerCore) -> Member? {
        guard let worker = LibraryWorker(server), let loop = LibraryLoop(worker) else { return nil }
        let handover = LoopHandover(loop)
        let thread = NativeThread.start("http-library") {
            if let loop = handover.take() { loop.run() }
        }
        return thread.map { Member(worker: worker, thread: $0) }
    }

    private static func end(_ members: [Member]) {
        for member in members { member.worker.stop() }
        for member in members { pthread_join(member.thread, nil) }
    }
}
