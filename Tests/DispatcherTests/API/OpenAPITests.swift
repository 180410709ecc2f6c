import Foundation
import HTTP
import Testing

@testable import Dispatcher

@Suite struct OpenAPITests {
    /// The operations of the document, read by its indentation.
    private func documented() throws -> Set<String> {
        let root = URL(fileURLWithPath: TestDatabase.migrations).deletingLastPathComponent()
        let text = try String(contentsOf: root.appendingPathComponent("schemas/openapi.yaml"), encoding: .utf8)
        var operations: Set<String> = []
        var path = ""
        for line in text.split(separator: "\n") {
            if let match = line.wholeMatch(of: #/  (/\S*):/#) { path = String(match.1) }
            if let match = line.wholeMatch(of: #/    (get|put|post|patch|delete):/#) {
                operations.insert("\(match.1.uppercased()) \(path)")
            }
        }
        return operations
    }

    @Test("the OpenAPI document has exactly the routes that are served")
    func routes() throws {
        let served = Set(APIRoute.all.map { "\($0.method.rawValue) \($0.pattern)" })
        #expect(try documented() == served && served.count == APIRoute.all.count)
    }
}
