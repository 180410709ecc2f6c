import DispatchCore
import Glibc
import Synchronization

/// The outside witness of what the simulated gateway accepted: a file with one JSON line per push.
///
/// A line has `notificationId` (the job's id), `installationId`, `platform`, `messageId`, `attempt`, `headers` and
/// `payload` (the request body, as a string where it is not JSON). Several processes may append to the same file: lines
/// never interleave.
public final class SimulatedGatewayLog: Sendable {
    /// Why the file could not be opened or written.
    public struct Failure: Error, Hashable, Sendable, CustomStringConvertible {
        /// The system call that failed.
        public let operation: String

        /// The file.
        public let path: String

        /// The system's error number.
        public let code: Int32

        /// Operation, file and the system's sentence.
        public var description: String { "\(operation) \(path): \(String(cString: strerror(code)))" }
    }

    private let path: String
    private let descriptor: Int32

    /// Keeps the rest of a short write next to its beginning among the threads of this process.
    private let turn = Mutex<Void>(())

    /// Opens the file for appending, and makes it when it is not there.
    public init(path: String) throws(Failure) {
        let descriptor = open(path, O_WRONLY | O_APPEND | O_CREAT | O_CLOEXEC, 0o644)
        guard descriptor >= 0 else { throw Failure(operation: "open", path: path, code: errno) }
        self.path = path
        self.descriptor = descriptor
        Self.endLastLine(of: descriptor, path: path)
    }

    /// A process that was killed while it wrote may have left half a line, which the next one must not go on with.
    private static func endLastLine(of descriptor: Int32, path: String) {
        let reader = open(path, O_RDONLY | O_CLOEXEC)
        guard reader >= 0 else { return }
        defer { close(reader) }
        var last: UInt8 = 0
        guard lseek(reader, -1, SEEK_END) >= 0, read(reader, &last, 1) == 1, last != UInt8(ascii: "\n") else { return }
        _ = Glibc.write(descriptor, "\n", 1)
    }

    deinit {
        close(descriptor)
    }

    /// Appends the lines of the accepted ones among `answers` in one piece.
    func append(
        accepted answers: [(Int, DeliveryOutcome)],
        of requests: [PushRequest],
        now: Timestamp
    ) throws(Failure) {
        var lines: [UInt8] = []
        lines.reserveCapacity(answers.count * 512)
        var writer = JSONWriter(capacity: 4096)
        for case (let index, .accepted) in answers {
            writer.bytes.removeAll(keepingCapacity: true)
            Self.write(requests[index], now: now, to: &writer)
            lines += writer.bytes
            lines.append(UInt8(ascii: "\n"))
        }
        guard !lines.isEmpty else { return }
        try write(lines)
    }

    /// Writes all of `bytes`, by one call unless the system takes less.
    ///
    /// write(2): "If the file was open(2)ed with O_APPEND, the file offset is first set to the end of the file before
    /// writing. The adjustment of the file offset and the write operation are performed as an atomic step."
    private func write(_ bytes: [UInt8]) throws(Failure) {
        let code = turn.withLock { _ in
            bytes.withUnsafeBytes { Self.writeAll($0, to: descriptor) }
        }
        guard code == 0 else { throw Failure(operation: "write", path: path, code: code) }
    }

    /// Returns 0 or the system's error number.
    private static func writeAll(_ bytes: UnsafeRawBufferPointer, to descriptor: Int32) -> Int32 {
        var rest = bytes[...]
        while !rest.isEmpty {
            let count = Glibc.write(descriptor, UnsafeRawBufferPointer(rebasing: rest).baseAddress, rest.count)
            if count >= 0 {
                rest = rest.dropFirst(count)
            } else if errno != EINTR {
                return errno
            }
        }
        return 0
    }

    private static func write(_ request: PushRequest, now: Timestamp, to line: inout JSONWriter) {
        line.beginObject()
        line.key("notificationId")
        line.string(request.notification.description)
        line.key("installationId")
        line.string(request.installationID)
        line.key("platform")
        line.string(request.push.platform.name)
        line.key("messageId")
        line.string(request.messageID.description)
        line.key("attempt")
        line.number(request.attempt)
        line.key("headers")
        line.beginObject()
        for header in request.headers(now: now) {
            line.key(header.name)
            line.string(header.value)
        }
        line.endObject()
        line.key("payload")
        writePayload(of: request, to: &line)
        line.endObject()
    }

    /// XML and raw bytes are no JSON; the other platforms' bodies always are.
    private static func writePayload(of request: PushRequest, to line: inout JSONWriter) {
        let body = request.push.body(channel: request.channel)
        let mayBeText = request.push.platform == .wns || request.push.platform == .browser
        if mayBeText, (try? JSONParser.parse(body)) == nil {
            line.string(String(decoding: body, as: UTF8.self))
        } else {
            line.raw(onOneLine(body))
        }
    }

    /// A native payload may be spread over lines; between JSON tokens a space means the same.
    private static func onOneLine(_ body: [UInt8]) -> [UInt8] {
        guard body.contains(where: isLineBreak) else { return body }
        return body.map { isLineBreak($0) ? UInt8(ascii: " ") : $0 }
    }

    private static func isLineBreak(_ byte: UInt8) -> Bool { byte == 0x0A || byte == 0x0D }
}
