import Glibc

/// One line of a file, without its line break.
struct NumberedLine: Sendable {
    /// 1 for the first.
    let number: Int
    let bytes: [UInt8]

    /// Bytes of the file up to and including this line.
    let endOffset: Int
}

/// Reads a file line by line with constant memory; empty lines are left out.
struct LineReader: Sequence {
    private let file: FileHandleOwner

    /// Opens the file; `-` is standard input.
    init(path: String) throws(CommandFailure) {
        guard path != "-" else {
            file = FileHandleOwner(fdopen(STDIN_FILENO, "r"), closes: false)
            return
        }
        guard let opened = fopen(path, "r") else {
            throw CommandFailure("cannot read \(path): \(String(cString: strerror(errno)))")
        }
        file = FileHandleOwner(opened, closes: true)
    }

    func makeIterator() -> Iterator { Iterator(file: file) }

    struct Iterator: IteratorProtocol {
        private let file: FileHandleOwner
        private var number = 0
        private var offset = 0

        fileprivate init(file: FileHandleOwner) {
            self.file = file
        }

        mutating func next() -> NumberedLine? {
            while let line = file.readLine() {
                number += 1
                offset += line.count
                var bytes = line
                while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
                if !bytes.isEmpty { return NumberedLine(number: number, bytes: bytes, endOffset: offset) }
            }
            return nil
        }
    }
}

/// Owns a C stream and the buffer that `getline` grows.
private final class FileHandleOwner {
    private let stream: UnsafeMutablePointer<FILE>?
    private let closes: Bool
    private var buffer: UnsafeMutablePointer<CChar>?
    private var capacity = 0

    init(_ stream: UnsafeMutablePointer<FILE>?, closes: Bool) {
        self.stream = stream
        self.closes = closes
    }

    deinit {
        if closes, let stream { fclose(stream) }
        free(buffer)
    }

    /// The next line with its line break; nil at the end of the file.
    func readLine() -> [UInt8]? {
        // "If *lineptr is set to NULL before the call, then getline() will allocate a buffer" (getline(3)).
        let length = getline(&buffer, &capacity, stream)
        guard length > 0, let buffer else { return nil }
        return UnsafeRawBufferPointer(start: buffer, count: length).map(\.self)
    }
}

extension LineReader {
    /// The file's size in bytes; nil for standard input and whatever is not a regular file.
    static func size(of path: String) -> Int? {
        var status = stat()
        guard path != "-", stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }
}
