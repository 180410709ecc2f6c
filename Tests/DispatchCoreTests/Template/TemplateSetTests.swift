import DispatchCore
import Testing

@Suite("Choosing a template")
struct TemplateSetTests {
    private func templates(_ names: String...) throws -> TemplateSet {
        let body = JSONValue.object([JSONMember(name: "body", value: .string(#"{"aps":{"alert":"x"}}"#))])
        return try TemplateSet(
            decoding: .object(names.map { JSONMember(name: $0, value: body) }),
            platform: .apns
        )
    }

    @Test("a job's name is taken by its bytes, or nothing")
    func named() throws {
        let set = try templates("b", "é", "default")
        #expect(set.select(named: "é")?.name == "é")
        #expect(set.select(named: "e\u{301}") == nil)
        #expect(set.select(named: "B") == nil)
    }

    @Test("without a name: default, else the only one, else the first by bytes")
    func unnamed() throws {
        #expect(try templates("a", "default").select(named: nil)?.name == "default")
        #expect(try templates("z").select(named: nil)?.name == "z")
        #expect(try templates("b", "é", "B", "z").select(named: nil)?.name == "B")
        #expect(try templates().select(named: nil) == nil)
    }

    @Test("the error of a template has its name in the path")
    func path() {
        let value = JSONValue.object([JSONMember(name: "my news", value: .object([]))])
        let error = #expect(throws: JobError.self) { try TemplateSet(decoding: value, platform: .apns) }
        #expect(error?.path == "$['my news'].body")
    }
}
