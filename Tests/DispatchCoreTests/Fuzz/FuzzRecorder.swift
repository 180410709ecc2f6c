import Glibc

/// Keeps the input at hand in a file that outlives a crash, when `DISPATCHER_FUZZ_LAST` names one.
///
/// The file holds the input's number and length as 64-bit integers of the machine, then its bytes.
struct FuzzRecorder {
    private let memory: UnsafeMutableRawBufferPointer?
    private static let size = 1 << 21

    init() {
        memory = getenv("DISPATCHER_FUZZ_LAST").flatMap { Self.map(String(cString: $0)) }
    }

    private static func map(_ path: String) -> UnsafeMutableRawBufferPointer? {
        let file = open(path, O_RDWR | O_CREAT | O_TRUNC, 0o644)
        guard file >= 0 else { return nil }
        defer { close(file) }
        guard ftruncate(file, size) == 0 else { return nil }
        let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0)
        guard let start, start != MAP_FAILED else { return nil }
        return UnsafeMutableRawBufferPointer(start: start, count: size)
    }

    func record(_ bytes: [UInt8], number: UInt64) {
        guard let memory, bytes.count <= Self.size - 16 else { return }
        memory.storeBytes(of: number, toByteOffset: 0, as: UInt64.self)
        memory.storeBytes(of: UInt64(bytes.count), toByteOffset: 8, as: UInt64.self)
        UnsafeMutableRawBufferPointer(rebasing: memory[16...]).copyBytes(from: bytes)
    }
}
