import CPostgres

/// The parameters of one statement laid out as libpq takes them.
struct ParameterBlock {
    private var bytes: [UInt8] = []
    private var offsets: [Int?] = []
    private var lengths: [Int32] = []
    private let types: [Oid]
    private let formats: [Int32]

    init(_ parameters: [PostgresParameter]) {
        types = parameters.map(\.type.oid)
        formats = [Int32](repeating: 1, count: parameters.count)
        offsets.reserveCapacity(parameters.count)
        lengths.reserveCapacity(parameters.count)
        for parameter in parameters { append(parameter.storage) }
        bytes.append(0)
    }

    private mutating func append(_ storage: PostgresParameter.Storage) {
        let start = bytes.count
        switch storage {
        case .null, .refused:
            offsets.append(nil)
            lengths.append(0)
            return
        case .inline(let high, let low, let count):
            withUnsafeBytes(of: (high.bigEndian, low.bigEndian)) { bytes.append(contentsOf: $0.prefix(count)) }
        case .bytes(let value):
            bytes.append(contentsOf: value)
        }
        offsets.append(start)
        lengths.append(Int32(bytes.count - start))
    }

    /// Calls with count, types, values, lengths and formats, alive during the call.
    func withPointers(
        _ body: (
            Int32,
            UnsafePointer<Oid>?,
            UnsafePointer<UnsafePointer<CChar>?>?,
            UnsafePointer<Int32>?,
            UnsafePointer<Int32>?
        ) -> Int32
    ) -> Int32 {
        bytes.withUnsafeBytes { buffer in
            let base = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            let values: [UnsafePointer<CChar>?] = offsets.map { offset in offset.flatMap { base?.advanced(by: $0) } }
            return body(Int32(offsets.count), types, values, lengths, formats)
        }
    }
}
