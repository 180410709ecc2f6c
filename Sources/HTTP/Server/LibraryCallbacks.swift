import CMicroHTTPD
import Glibc

/// The four functions that the library calls, always within a call of its `LibraryLoop`.
enum LibraryCallbacks {
    /// Method and version as the library read them; the pointers live as long as the call.
    struct RequestLine {
        let method: UnsafePointer<CChar>
        let version: UnsafePointer<CChar>
    }

    /// A connection was started or is about to be closed.
    static let connection: MHD_NotifyConnectionCallback = { context, library, socketContext, event in
        guard let context, let library, let socketContext else { return }
        let worker = Unmanaged<LibraryWorker>.fromOpaque(context).takeUnretainedValue()
        if event == .CONNECTION_NOTIFY_STARTED {
            let connection = worker.opened(LibraryConnection(library))
            socketContext.pointee = Unmanaged.passRetained(connection).toOpaque()
        } else if let pointer = socketContext.pointee {
            socketContext.pointee = nil
            worker.closed(Unmanaged<ClientConnection>.fromOpaque(pointer).takeRetainedValue())
        }
    }

    /// The request line is there.
    ///
    /// "Specify a function that should be called before parsing the URI from the client"; what it returns "will be
    /// passed as (*con_cls) in calls to the MHD_AccessHandlerCallback".
    static let target:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>?, OpaquePointer?) ->
            UnsafeMutableRawPointer? = { context, target, library in
                guard let context, let target, let library else { return nil }
                let worker = Unmanaged<LibraryWorker>.fromOpaque(context).takeUnretainedValue()
                guard let pointer = LibraryConnection(library).context else { return nil }
                let connection = Unmanaged<ClientConnection>.fromOpaque(pointer).takeUnretainedValue()
                let raw = Array(UnsafeRawBufferPointer(start: target, count: strlen(target)))
                return Unmanaged.passRetained(worker.server.begin(connection, rawTarget: raw)).toOpaque()
            }

    /// Something of a request is there.
    ///
    /// "For each HTTP request this callback is called several times: after request headers are fully received and
    /// decoded, for each received part of request body, when request is fully received."
    static let access: MHD_AccessHandlerCallback = { _, library, _, method, version, upload, count, request in
        guard let library, let method, let version, let count, let pointer = request?.pointee else { return .NO }
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
        guard let upload else {
            return exchange.advance(LibraryConnection(library), RequestLine(method: method, version: version))
                ? .YES : .NO
        }
        let bytes = UnsafeRawBufferPointer(start: upload, count: count.pointee)
        guard let left = exchange.upload(bytes, LibraryConnection(library)) else { return .NO }
        // "set initially to the size of the upload_data provided; the method must update this value to the number of
        // bytes NOT processed".
        count.pointee = left
        return .YES
    }

    /// A request is over; the library tells so of each one whose target was shown to us.
    static let completed: MHD_RequestCompletedCallback = { context, _, requestContext, reason in
        guard let context, let requestContext, let pointer = requestContext.pointee else { return }
        requestContext.pointee = nil
        let worker = Unmanaged<LibraryWorker>.fromOpaque(context).takeUnretainedValue()
        let exchange = Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        worker.server.end(exchange, isComplete: reason == .REQUEST_TERMINATED_COMPLETED_OK)
    }
}
