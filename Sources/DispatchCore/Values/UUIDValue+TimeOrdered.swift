extension UUIDValue {
    /// A new time-ordered identifier (UUIDv7, RFC 9562 section 5.7): 48 bits of Unix milliseconds, then 74 random bits.
    ///
    /// Ids that grow with time keep the database's index of them compact.
    public static func timeOrdered(at now: Timestamp, using generator: inout some RandomNumberGenerator) -> UUIDValue {
        let version: UInt64 = 0x7000
        let variant: UInt64 = 0x8000_0000_0000_0000
        let milliseconds = UInt64(truncatingIfNeeded: now.milliseconds)
        return UUIDValue(
            high: milliseconds << 16 | version | generator.next() & 0xFFF,
            low: variant | generator.next() & 0x3FFF_FFFF_FFFF_FFFF
        )
    }
}
