import Postgres

/// The devices of a batch by key.
///
/// They are stored in key order and asked for mostly in key order too.
struct DeviceIndex {
    private var keys: [Int64] = []
    private var devices: [DeliveryTarget.Device?] = []

    /// Where the next key is expected.
    private var cursor = 0

    /// Reads rows of (id, device columns), each id once, in ascending order.
    init(_ rows: PostgresRows) throws(PostgresError) {
        keys.reserveCapacity(rows.count)
        devices.reserveCapacity(rows.count)
        for row in 0..<rows.count {
            keys.append(try rows.int8(row, 0))
            devices.append(try rows.device(row, from: 1))
        }
    }

    /// The device with this key; nil when its registration is gone.
    mutating func device(_ key: Int64) -> DeliveryTarget.Device? {
        if cursor >= keys.count || keys[cursor] != key { cursor = firstIndex(notBefore: key) }
        guard cursor < keys.count, keys[cursor] == key else { return nil }
        defer { cursor += 1 }
        return devices[cursor]
    }

    private func firstIndex(notBefore key: Int64) -> Int {
        var low = 0
        var high = keys.count
        while low < high {
            let middle = (low + high) / 2
            if keys[middle] < key { low = middle + 1 } else { high = middle }
        }
        return low
    }
}
