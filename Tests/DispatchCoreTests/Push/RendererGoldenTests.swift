import DispatchCore
import Foundation
import Testing

/// What each platform is sent for each example, byte for byte.
///
/// `DISPATCHER_UPDATE_GOLDEN=apns,wns swift test --filter Golden` writes the files of these platforms anew; they are read
/// by a person against the vendor's pages before they are committed (Fixtures/README.md).
@Suite("Golden payloads")
struct RendererGoldenTests {
    @Test("a push is exactly its golden file", arguments: PushExample.all, Platform.allCases)
    func golden(example: PushExample, platform: Platform) throws {
        let name = "golden/\(platform.name)/\(example.name).txt"
        let rendered = example.rendered(for: platform)
        if Self.updated.contains(platform.name) {
            try write(rendered, to: name)
        } else {
            #expect(rendered == (try Fixture.text(name)))
        }
    }

    @Test("every golden file belongs to an example, and every example has a name of its own")
    func complete() throws {
        let names = try PushExample.read().map(\.name)
        #expect(names.count >= 50)
        #expect(Set(names).count == names.count)
        for platform in Platform.allCases {
            let files = Set(try Fixture.names(in: "golden/\(platform.name)"))
            #expect(files == Set(names.map { $0 + ".txt" }))
        }
    }

    private static let updated = Set(
        (ProcessInfo.processInfo.environment["DISPATCHER_UPDATE_GOLDEN"] ?? "").split(separator: ",").map(String.init)
    )

    private func write(_ text: String, to name: String) throws {
        let folder = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../Fixtures")
        let file = folder.appending(path: name)
        try FileManager.default.createDirectory(at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data((text + "\n").utf8).write(to: file)
    }
}
