/// A content that was uploaded and is to be kept.
struct NewContent: Sendable {
    /// Octets of the longest one.
    static let limit = 10 * 1024 * 1024

    /// Octets that are written to and read from the database at a time.
    static let chunk = 256 * 1024

    let octets: SpooledContent
    let type: String
    let name: String?

    /// SHA-256.
    let checksum: [UInt8]

    /// The number of chunks of a content with so many octets.
    static func chunkCount(_ length: Int) -> Int { (length + chunk - 1) / chunk }
}
