import Glibc

/// Takes the octets of an upload as they come: a few in memory, more of them in a file that has no name.
///
/// Slow clients thus cost memory no more than fast ones, and an upload that ends midway leaves nothing, whatever ends it.
/// Writes go to the page cache, in pieces of some 64 KiB, so they hold up nobody.
final class ContentSpool {
    /// Octets kept in memory.
    private static let memoryLimit = 32 * 1024

    private let budget: SpoolBudget
    private var memory: [UInt8] = []
    private var descriptor: Int32 = -1
    private(set) var count = 0

    init(budget: SpoolBudget) {
        self.budget = budget
    }

    deinit {
        guard descriptor >= 0 else { return }
        close(descriptor)
        budget.giveBack(count)
    }

    /// - Throws: `Problem` when the disk has no room for more.
    func append(_ bytes: [UInt8]) throws(Problem) {
        if descriptor < 0, count + bytes.count <= Self.memoryLimit {
            memory += bytes
            count += bytes.count
            return
        }
        if descriptor < 0 { try open() }
        try write(bytes)
        count += bytes.count
    }

    /// Everything that was taken; this is empty then.
    func finish() -> SpooledContent {
        defer {
            descriptor = -1
            memory = []
            count = 0
        }
        guard descriptor >= 0 else { return SpooledContent(memory) }
        return SpooledContent(takingOver: descriptor, count: count, budget: budget)
    }

    private func open() throws(Problem) {
        guard budget.take(count) else { throw .noRoom }
        guard let made = Self.namelessFile() else {
            budget.giveBack(count)
            throw .noRoom
        }
        descriptor = made
        let head = memory
        memory = []
        let error = Self.write(head, to: made)
        guard error == nil else { throw .noRoom }
    }

    private func write(_ bytes: [UInt8]) throws(Problem) {
        guard budget.take(bytes.count) else { throw .noRoom }
        guard Self.write(bytes, to: descriptor) == nil else {
            budget.giveBack(bytes.count)
            throw .noRoom
        }
    }

    /// A file that goes with its descriptor.
    static func namelessFile() -> Int32? {
        let folder = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        var name = Array("\(folder)/dispatcher-XXXXXX".utf8CString)
        let descriptor = mkstemp(&name)
        guard descriptor >= 0 else { return nil }
        unlink(name)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        return descriptor
    }

    /// The number of the error, if it cannot be written.
    static func write(_ bytes: [UInt8], to descriptor: Int32) -> Int32? {
        var written = 0
        while written < bytes.count {
            let result = bytes[written...].withUnsafeBytes { Glibc.write(descriptor, $0.baseAddress, $0.count) }
            guard result > 0 else {
                if errno == EINTR { continue }
                return errno
            }
            written += result
        }
        return nil
    }
}

extension Problem {
    fileprivate static let noRoom = Problem.unavailable("There is no room for this upload now.", seconds: 10)
}
