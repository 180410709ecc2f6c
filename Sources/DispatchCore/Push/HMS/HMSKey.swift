/// The numbers by which Huawei tells messages apart, made of the job's collapse key.
///
/// They are parts of the key's 64-bit FNV-1a hash (Fowler, Noll and Vo), so that every worker makes the same ones. Two keys of an app
/// may share a group, and the later message then displaces the earlier one for a device that is offline: Huawei has no
/// more than 100. They hardly ever share an id.
struct HMSKey {
    /// The group in which Push Kit keeps one message for a device that is offline, 1 to 100.
    let group: Int

    /// The id under which a shown notification is replaced, as a 31-bit number.
    let notifyID: Int

    init(_ key: String) {
        let hash = key.utf8.reduce(0xCBF2_9CE4_8422_2325 as UInt64) { hash, byte in
            (hash ^ UInt64(byte)) &* 0x0000_0100_0000_01B3
        }
        group = Int(hash % 100) + 1
        notifyID = Int(hash >> 33)
    }
}
