import CMicroHTTPD
import Glibc

/// A connection as the library knows it.
struct LibraryConnection {
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) {
        self.pointer = pointer
    }

    /// "Suspend handling of network data for a given connection. … The only safe way to call this function is to call it
    /// from the MHD_AccessHandlerCallback or MHD_ContentReaderCallback."
    func suspend() {
        MHD_suspend_connection(pointer)
    }

    /// "It is safe to resume a suspended connection at any time. Calling this function on a connection that was not
    /// previously suspended will result in undefined behavior."
    func resume() {
        MHD_resume_connection(pointer)
    }

    /// "Queue a response to be transmitted to the client (as soon as possible but after MHD_AccessHandlerCallback
    /// returns). For any active connection this function must be called only by MHD_AccessHandlerCallback callback."
    func queue(_ response: OpaquePointer, status: HTTPStatus) -> Bool {
        MHD_queue_response(pointer, UInt32(status.code), response) == MHD_Result.YES
    }

    /// The socket.
    var descriptor: Int32 {
        cmicrohttpd_connection_info(pointer, .CONNECTION_INFO_CONNECTION_FD)?.pointee.connect_fd ?? -1
    }

    /// The client's address.
    var peer: HTTPPeer {
        let information = cmicrohttpd_connection_info(pointer, .CONNECTION_INFO_CLIENT_ADDRESS)
        guard let address = information?.pointee.client_addr else { return HTTPPeer(octets: [], port: 0) }
        return HTTPPeer(UnsafePointer(address))
    }

    /// The octets of request line and fields.
    var headerSize: Int {
        cmicrohttpd_connection_info(pointer, .CONNECTION_INFO_REQUEST_HEADER_SIZE)?.pointee.header_size ?? 0
    }

    /// What was attached to the connection when it started.
    var context: UnsafeMutableRawPointer? {
        cmicrohttpd_connection_info(pointer, .CONNECTION_INFO_SOCKET_CONTEXT)?.pointee.socket_context
    }

    /// Copies the header fields.
    func headers() -> HTTPHeaders {
        var headers = HTTPHeaders()
        headers.reserve(fields: 16, bytes: headerSize)
        withUnsafeMutablePointer(to: &headers) { target in
            _ = MHD_get_connection_values_n(pointer, .HEADER_KIND, Self.addField, target)
        }
        return headers
    }

    private static let addField: MHD_KeyValueIteratorN = { context, _, key, keyCount, value, valueCount in
        guard let headers = context?.assumingMemoryBound(to: HTTPHeaders.self), let key else { return .YES }
        let name = UnsafeRawBufferPointer(start: key, count: keyCount)
        let value = UnsafeRawBufferPointer(start: value, count: value == nil ? 0 : valueCount)
        headers.pointee.append(name: name, value: ASCII.trimmed(value))
        return .YES
    }
}

// `@unchecked` because the pointer is used by the library's own thread within its callbacks, and elsewhere only to
// resume a connection that `ExchangeState` knows to be suspended, with its lock held.
extension LibraryConnection: @unchecked Sendable {}
