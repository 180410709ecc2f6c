import Glibc

/// The octets of a complete upload, read piece by piece.
final class SpooledContent: Sendable {
    private enum Storage: Sendable {
        case memory([UInt8])
        case file(descriptor: Int32, SpoolBudget)
    }

    struct ReadError: Error {
        let number: Int32
    }

    let count: Int
    private let storage: Storage

    init(_ bytes: [UInt8]) {
        storage = .memory(bytes)
        count = bytes.count
    }

    init(takingOver descriptor: Int32, count: Int, budget: SpoolBudget) {
        storage = .file(descriptor: descriptor, budget)
        self.count = count
    }

    deinit {
        guard case .file(let descriptor, let budget) = storage else { return }
        close(descriptor)
        budget.giveBack(count)
    }

    /// The octets of the range, which must lie within.
    func read(_ range: Range<Int>) throws(ReadError) -> [UInt8] {
        switch storage {
        case .memory(let bytes): return Array(bytes[range])
        case .file(let descriptor, _): return try Self.read(range, of: descriptor)
        }
    }

    private static func read(_ range: Range<Int>, of descriptor: Int32) throws(ReadError) -> [UInt8] {
        var trouble: Int32 = 0
        let bytes = [UInt8](unsafeUninitializedCapacity: range.count) { buffer, initialized in
            while initialized < range.count {
                let rest = UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[initialized...]
                )
                let result = pread(descriptor, rest.baseAddress, rest.count, range.lowerBound + initialized)
                guard result > 0 else {
                    if result < 0, errno == EINTR { continue }
                    trouble = result < 0 ? errno : EIO
                    return
                }
                initialized += result
            }
        }
        guard trouble == 0 else { throw ReadError(number: trouble) }
        return bytes
    }
}
