import Foundation
import Testing

/// A golden file, without the line feed editors put at its end.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        var bytes = [UInt8](try Data(contentsOf: url(name)))
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }

    /// The names of the files in a folder.
    static func names(in folder: String) throws -> [String] {
        try FileManager.default.contentsOfDirectory(atPath: url(folder).path)
    }

    private static func url(_ name: String) -> URL {
        Bundle.module.bundleURL.appending(path: "Fixtures/\(name)")
    }
}
