/// The numbers by which Huawei tells messages apart, made of the job's collapse key.
///
/// They are taken from the key's SHA-256, so that every worker makes the same ones.
struct HMSKey {
    /// The group in which Push Kit keeps one message for a device that is offline, 1 to 100.
    let group: Int

    /// The id under which a shown notification is replaced, as a 31-bit number.
    let notifyID: Int

    init(_ key: String) {
        let word = SHA256Digest(of: key.utf8).bytes.prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        group = Int(word % 100) + 1
        notifyID = Int(word & 0x7FFF_FFFF)
    }
}
