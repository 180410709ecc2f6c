import DispatchCore

/// The domain's tag, which `Testing` has a word of its own for.
typealias Tag = DispatchCore.Tag

/// SplitMix64: the same numbers for the same seed, so that a failure can be played again.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[below(elements.count)] }
}

extension Array where Element == UInt8 {
    /// The bytes with one to four random edits: a byte replaced, cut out, put in, or a stretch doubled.
    func mutated(using generator: inout SplitMix) -> [UInt8] {
        var bytes = self
        for _ in 0...generator.below(4) {
            let position = generator.below(bytes.count + 1)
            switch generator.below(4) {
            case 0 where position < bytes.count: bytes[position] = UInt8(generator.below(256))
            case 1 where position < bytes.count: bytes.remove(at: position)
            case 2: bytes.insert(generator.pick(Array("{}[]\",:\\u0!&|()$-.eE1 \u{7f}é".utf8)), at: position)
            default: bytes.insert(contentsOf: bytes[position...].prefix(generator.below(24)), at: position)
            }
        }
        return bytes
    }
}
