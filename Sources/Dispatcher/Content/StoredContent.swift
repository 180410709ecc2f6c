import DispatchCore

/// What is known of a content that somebody may have.
struct StoredContent: Sendable {
    let id: Int64
    let job: UUIDValue

    /// Octets.
    let length: Int

    /// SHA-256.
    let checksum: [UInt8]
    let type: String
    let name: String?

    /// Where those are sent who fetch it; then there are no octets.
    let url: String?
}
