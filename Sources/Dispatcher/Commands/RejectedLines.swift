import DispatchCore
import Glibc

/// The lines an import could not accept, as JSON lines with the reason; the file is made with the first of them.
struct RejectedLines {
    let path: String
    private(set) var count = 0
    private var stream: UnsafeMutablePointer<FILE>?

    init(path: String) {
        self.path = path
    }

    mutating func add(line: Int, path memberPath: String, reason: String) throws {
        if stream == nil { stream = fopen(path, "w") }
        guard let stream else { throw CommandFailure("cannot write \(path): \(String(cString: strerror(errno)))") }
        var writer = JSONWriter()
        writer.beginObject()
        writer.key("line")
        writer.number(line)
        writer.key("path")
        writer.string(memberPath)
        writer.key("reason")
        writer.string(reason)
        writer.endObject()
        let bytes = writer.bytes + [0x0A]
        guard fwrite(bytes, 1, bytes.count, stream) == bytes.count else { throw CommandFailure("cannot write \(path)") }
        count += 1
    }

    mutating func close() throws {
        guard let stream else { return }
        self.stream = nil
        guard fclose(stream) == 0 else { throw CommandFailure("cannot write \(path)") }
    }
}
