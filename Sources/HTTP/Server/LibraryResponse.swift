import CMicroHTTPD
import Glibc

/// A response in the library's form, let go when it was queued.
struct LibraryResponse: ~Copyable {
    private let pointer: OpaquePointer

    /// Copies status, fields and content; nil without memory or descriptors.
    ///
    /// A streamed content comes from its feed.
    init?(_ response: HTTPResponse, feed: ResponseFeed?, closes: Bool) {
        guard let pointer = feed.map({ $0.makeResponse() }) ?? Self.make(response.body) else { return nil }
        self.pointer = pointer
        response.headers.withCStrings { name, value in
            guard !Self.isOwnedByServer(name) else { return }
            _ = MHD_add_response_header(pointer, name, value)
        }
        if closes { _ = MHD_add_response_header(pointer, "Connection", "close") }
    }

    deinit {
        MHD_destroy_response(pointer)
    }

    func queue(on connection: LibraryConnection, status: HTTPStatus) -> Bool {
        connection.queue(pointer, status: status)
    }

    private static func make(_ body: HTTPResponse.Body) -> OpaquePointer? {
        switch body {
        case .empty, .stream:
            return MHD_create_response_from_buffer(0, nil, .RESPMEM_PERSISTENT)
        case .bytes(let bytes):
            // "MHD must make its own private copy of the data for processing"; with the mode below it only reads.
            return bytes.withUnsafeBytes { buffer in
                MHD_create_response_from_buffer(
                    buffer.count,
                    UnsafeMutableRawPointer(mutating: buffer.baseAddress),
                    .RESPMEM_MUST_COPY
                )
            }
        case .file(let file, let range):
            return make(file, range)
        }
    }

    /// The descriptor "will be closed when response is destroyed", so the response gets one of its own.
    private static func make(_ file: HTTPFile, _ range: Range<UInt64>) -> OpaquePointer? {
        let own = fcntl(file.descriptor, F_DUPFD_CLOEXEC, 0)
        guard own >= 0 else { return nil }
        let size = range.upperBound - range.lowerBound
        let response = MHD_create_response_from_fd_at_offset64(size, own, range.lowerBound)
        if response == nil { close(own) }
        return response
    }

    private static func isOwnedByServer(_ name: UnsafePointer<CChar>) -> Bool {
        switch name.pointee | 0x20 {
        case CChar(UInt8(ascii: "c")):
            strcasecmp(name, "Content-Length") == 0 || strcasecmp(name, "Connection") == 0
        case CChar(UInt8(ascii: "t")): strcasecmp(name, "Transfer-Encoding") == 0
        case CChar(UInt8(ascii: "d")): strcasecmp(name, "Date") == 0
        default: false
        }
    }
}
