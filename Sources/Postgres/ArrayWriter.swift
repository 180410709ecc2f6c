/// Writes the binary form of a one-dimensional array into memory of a known size.
///
/// The form (`array_recv`): dimensions, a flag that NULLs may come, element type, length, lower bound; then each element
/// with its length in front, -1 for NULL. An empty array has no dimensions. All is inlinable, since an array is encoded
/// ten times slower by code that is not specialised for its element.
@usableFromInline
struct ArrayWriter {
    @usableFromInline let base: UnsafeMutableRawPointer
    @usableFromInline let capacity: Int
    @usableFromInline var count = 0

    /// The header of an array with elements.
    @usableFromInline static let headerSize = 20

    /// A full array from elements of one width; `store` writes an element, or answers false for NULL.
    @inlinable
    static func fixed<C: Collection>(
        _ elements: C,
        of type: PostgresType,
        width: Int,
        store: (C.Element, UnsafeMutableRawPointer) -> Bool
    ) -> [UInt8] {
        bytes(elements.count, of: type, payload: elements.count * width) { writer in
            for element in elements {
                let start = writer.advance(4 + width)
                let stored = store(element, start + 4)
                start.storeBytes(of: Int32(stored ? width : -1).bigEndian, as: Int32.self)
                if !stored { writer.count -= width }
            }
        }
    }

    /// A full array whose elements add up to `payload` octets without their length words.
    @inlinable
    static func bytes(
        _ count: Int,
        of type: PostgresType,
        payload: Int,
        body: (inout ArrayWriter) -> Void
    ) -> [UInt8] {
        let capacity = headerSize + 4 * count + payload
        return [UInt8](unsafeUninitializedCapacity: capacity) { buffer, initialized in
            guard let base = UnsafeMutableRawPointer(buffer.baseAddress) else { return }
            var writer = ArrayWriter(base: base, capacity: capacity)
            writer.header(count: count, type: type)
            if count > 0 { body(&writer) }
            initialized = writer.count
        }
    }

    @inlinable
    init(base: UnsafeMutableRawPointer, capacity: Int) {
        self.base = base
        self.capacity = capacity
    }

    @inlinable
    mutating func header(count: Int, type: PostgresType) {
        word(count == 0 ? 0 : 1)
        word(1)
        word(Int32(bitPattern: type.oid))
        guard count > 0 else { return }
        word(Int32(count))
        word(1)
    }

    /// Appends the length word of a NULL.
    @inlinable
    mutating func null() {
        word(-1)
    }

    /// Appends an element.
    @inlinable
    mutating func element(_ bytes: UnsafeRawBufferPointer) {
        word(Int32(bytes.count))
        let target = advance(bytes.count)
        if let source = bytes.baseAddress { target.copyMemory(from: source, byteCount: bytes.count) }
    }

    @inlinable
    mutating func word(_ value: Int32) {
        advance(4).storeBytes(of: value.bigEndian, as: Int32.self)
    }

    @inlinable
    mutating func advance(_ size: Int) -> UnsafeMutableRawPointer {
        let start = base + count
        count += size
        precondition(count <= capacity, "an array parameter's collection must yield the same elements every time")
        return start
    }
}
