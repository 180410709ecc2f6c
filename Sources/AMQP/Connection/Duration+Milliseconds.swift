extension Duration {
    /// Milliseconds for `poll`, rounded up so that a wait never ends early.
    var wholeMilliseconds: Int32 {
        let (seconds, attoseconds) = components
        guard seconds < 86_400 else { return 86_400_000 }
        return Int32(max(0, seconds * 1_000 + (attoseconds + 999_999_999_999_999) / 1_000_000_000_000_000))
    }
}
