/// How many connections each address has.
struct AddressCounts {
    private var counts: [[UInt8]: Int] = [:]

    /// Counts one more; false when it has as many as it may.
    mutating func take(_ peer: HTTPPeer, most: Int) -> Bool {
        let count = counts[peer.octets, default: 0]
        guard count < most else { return false }
        counts[peer.octets] = count + 1
        return true
    }

    mutating func giveBack(_ peer: HTTPPeer) {
        guard let count = counts[peer.octets] else { return }
        counts[peer.octets] = count > 1 ? count - 1 : nil
    }
}
