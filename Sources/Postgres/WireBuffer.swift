/// One growing piece of memory that integers are stored into in network order.
struct WireBuffer: ~Copyable {
    private var base: UnsafeMutableRawPointer
    private var capacity: Int
    private(set) var count = 0

    init(capacity: Int) {
        self.capacity = capacity
        base = .allocate(byteCount: capacity, alignment: 16)
    }

    deinit {
        base.deallocate()
    }

    /// What was written, valid until the next write.
    var bytes: UnsafeRawBufferPointer {
        UnsafeRawBufferPointer(start: base, count: count)
    }

    mutating func removeAll() {
        count = 0
    }

    /// Makes room and answers where the next octets go.
    @inline(__always)
    mutating func advance(_ size: Int) -> UnsafeMutableRawPointer {
        if size > capacity - count { grow(by: size) }
        let start = base + count
        count += size
        return start
    }

    @inline(__always)
    mutating func append<T: FixedWidthInteger>(_ value: T) {
        advance(MemoryLayout<T>.size).storeBytes(of: value.bigEndian, as: T.self)
    }

    /// Appends a length word and an integer.
    @inline(__always)
    mutating func appendField<T: FixedWidthInteger>(_ value: T) {
        let start = advance(4 + MemoryLayout<T>.size)
        start.storeBytes(of: Int32(MemoryLayout<T>.size).bigEndian, as: Int32.self)
        (start + 4).storeBytes(of: value.bigEndian, as: T.self)
    }

    /// Appends a length word and octets, perhaps with one octet in front.
    mutating func appendField(_ bytes: UnsafeRawBufferPointer, prefix: UInt8? = nil) {
        append(Int32(bytes.count + (prefix == nil ? 0 : 1)))
        if let prefix { append(prefix) }
        append(bytes)
    }

    mutating func append(_ bytes: UnsafeRawBufferPointer) {
        guard let source = bytes.baseAddress else { return }
        advance(bytes.count).copyMemory(from: source, byteCount: bytes.count)
    }

    private mutating func grow(by size: Int) {
        capacity = max(capacity * 2, count + size)
        let larger = UnsafeMutableRawPointer.allocate(byteCount: capacity, alignment: 16)
        larger.copyMemory(from: base, byteCount: count)
        base.deallocate()
        base = larger
    }
}
