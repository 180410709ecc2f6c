import DispatchCore
import Testing

@Suite("Dispositions against what the vendors say")
struct DispositionFixtureTests {
    @Test("the code has exactly the rows the vendors document", arguments: Platform.allCases)
    func sameRows(platform: Platform) throws {
        let fixture = try #require(try DispositionFixture.all()[platform])
        #expect(!fixture.source.isEmpty)
        let documented = Set(fixture.rows)
        #expect(documented.count == fixture.rows.count)
        let coded = Set(DispositionTable.rows.filter { $0.platform == platform }.map(DispositionFixture.Row.init))
        #expect(documented.subtracting(coded) == [], "documented, but not in the code")
        #expect(coded.subtracting(documented) == [], "in the code, but not documented")
    }
}
