import Foundation
import Testing

/// A golden file, without the line feed editors put at its end.
enum Fixture {
    static func bytes(_ name: String) throws -> [UInt8] {
        let url = Bundle.module.bundleURL.appending(path: "Fixtures/\(name)")
        var bytes = [UInt8](try Data(contentsOf: url))
        if bytes.last == UInt8(ascii: "\n") { bytes.removeLast() }
        return bytes
    }

    static func text(_ name: String) throws -> String {
        String(decoding: try bytes(name), as: UTF8.self)
    }
}
