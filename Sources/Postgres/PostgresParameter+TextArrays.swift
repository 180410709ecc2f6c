extension PostgresParameter {
    /// A `text[]`; one element with a NUL character makes the execution throw `.encoding`.
    @inlinable
    public static func texts(_ values: some Collection<String>) -> Self {
        Self(.texts, textStorage(values.lazy.map { Optional($0) }))
    }

    /// A `text[]` with NULLs; one element with a NUL character makes the execution throw `.encoding`.
    @inlinable
    public static func textsOrNull(_ values: some Collection<String?>) -> Self {
        Self(.texts, textStorage(values))
    }

    /// A `bytea[]`.
    @inlinable
    public static func byteas(_ values: some Collection<[UInt8]>) -> Self {
        byteasOrNull(values.lazy.map { Optional($0) })
    }

    /// A `bytea[]` with NULLs.
    @inlinable
    public static func byteasOrNull(_ values: some Collection<[UInt8]?>) -> Self {
        let payload = values.reduce(0) { $0 + ($1?.count ?? 0) }
        let bytes = ArrayWriter.bytes(values.count, of: .bytea, payload: payload) { writer in
            for value in values {
                guard let value else {
                    writer.null()
                    continue
                }
                value.withUnsafeBytes { writer.element($0) }
            }
        }
        return Self(.byteas, .bytes(bytes))
    }

    @inlinable
    static func textStorage(_ values: some Collection<String?>) -> Storage {
        let payload = values.reduce(0) { $0 + ($1?.utf8.count ?? 0) }
        var isRefused = false
        let bytes = ArrayWriter.bytes(values.count, of: .text, payload: payload) { writer in
            for value in values {
                guard var value else {
                    writer.null()
                    continue
                }
                value.withUTF8 { utf8 in
                    isRefused = isRefused || containsNUL(utf8)
                    writer.element(UnsafeRawBufferPointer(utf8))
                }
            }
        }
        return isRefused ? .refused : .bytes(bytes)
    }
}
