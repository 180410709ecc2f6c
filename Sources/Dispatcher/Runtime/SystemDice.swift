/// The system's random numbers, from a generator that has an address.
///
/// `SystemRandomNumberGenerator` has no size, so a variable of it has no place in memory; but the compiler tells
/// ThreadSanitizer of each `inout` access, by an address that is then whatever a register holds.
struct SystemDice: RandomNumberGenerator {
    private let place: UInt8 = 0

    mutating func next() -> UInt64 { UInt64.random(in: .min ... .max) }
}
