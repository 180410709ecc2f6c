/// Why a cryptographic operation has no result.
public enum CryptoError: Error, Sendable, Equatable {
    /// The library could not do it, by its own account or for lack of memory.
    case failed(operation: String)
}
