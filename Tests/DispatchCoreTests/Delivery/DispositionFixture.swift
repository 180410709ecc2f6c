import DispatchCore
import Foundation

/// What the vendors document, transcribed from their pages and not from the code.
struct DispositionFixture: Decodable {
    struct Row: Decodable, Hashable {
        let status: Int
        let reason: String
        let disposition: String
        let scope: String
        let device: String
        let pauseSeconds: Int?
    }

    let source: String
    let rows: [Row]

    static func all() throws -> [Platform: DispositionFixture] {
        let data = Data(try Fixture.bytes("dispositions.json"))
        let decoded = try JSONDecoder().decode([String: DispositionFixture].self, from: data)
        return Dictionary(
            uniqueKeysWithValues: Platform.allCases.compactMap { platform in
                decoded[platform.name].map { (platform, $0) }
            }
        )
    }
}

extension DispositionFixture.Row {
    /// A row of the code, spelled as the fixture spells it.
    init(_ row: DispositionTable.Row) {
        self.init(status: row.status, reason: row.reason, consequence: row.consequence)
    }

    init(status: Int, reason: String, consequence: Consequence) {
        self.status = status
        self.reason = reason
        disposition = "\(consequence.disposition)"
        scope = "\(consequence.scope)"
        device = "\(consequence.device)"
        pauseSeconds = consequence.pause.map { Int($0.components.seconds) }
    }
}
