/// The content of a response as it is made, piece by piece.
///
/// A piece is asked for when the one before has been handed to the client's socket, so a client that takes its time stops
/// the maker, and no more than one piece is held.
public struct HTTPResponseStream: Sendable {
    /// Makes the next piece.
    let next: @Sendable () async throws -> [UInt8]?

    /// Makes a stream.
    ///
    /// - Parameter next: Makes the next piece, nil at the end; never called while it is at work. When it throws, the
    ///   connection is cut, so that the client does not take what it has for all of it.
    public init(next: @escaping @Sendable () async throws -> [UInt8]?) {
        self.next = next
    }
}
