import Testing

@testable import HTTP

@Suite struct HTTPConditionalTests {
    struct Case: Sendable {
        var match: String?
        var noneMatch: String?
        var method = HTTPMethod.get
        var current: EntityTag? = EntityTag("a")
        let outcome: HTTPConditional.Outcome
    }

    static let weak = EntityTag("a", isWeak: true)
    static let cases = [
        Case(outcome: .proceed),
        Case(match: "\"a\"", outcome: .proceed),
        Case(match: "\"b\", \"a\"", outcome: .proceed),
        Case(match: "*", outcome: .proceed),
        Case(match: "*", current: nil, outcome: .preconditionFailed),
        Case(match: "\"b\"", outcome: .preconditionFailed),
        Case(match: "W/\"a\"", outcome: .preconditionFailed),
        Case(match: "\"a\"", current: weak, outcome: .preconditionFailed),
        Case(match: "a", outcome: .preconditionFailed),
        Case(noneMatch: "\"a\"", outcome: .notModified),
        Case(noneMatch: "W/\"a\"", outcome: .notModified),
        Case(noneMatch: "\"x\",W/\"a\"", method: .head, current: weak, outcome: .notModified),
        Case(noneMatch: "\"a\"", method: .put, outcome: .preconditionFailed),
        Case(noneMatch: "*", method: .put, outcome: .preconditionFailed),
        Case(noneMatch: "*", method: .put, current: nil, outcome: .proceed),
        Case(noneMatch: "\"b\"", outcome: .proceed),
        Case(noneMatch: "a", outcome: .proceed),
        Case(match: "\"b\"", noneMatch: "\"a\"", outcome: .preconditionFailed),
    ]

    @Test("preconditions are compared as RFC 9110 says", arguments: cases)
    func evaluate(_ condition: Case) throws {
        var headers = HTTPHeaders()
        if let match = condition.match { try headers.add("If-Match", match) }
        if let noneMatch = condition.noneMatch { try headers.add("If-None-Match", noneMatch) }
        let outcome = HTTPConditional.evaluate(headers, method: condition.method, current: condition.current)
        #expect(outcome == condition.outcome)
    }

    @Test("a list of tags may have commas within them and gaps between")
    func list() {
        #expect(EntityTag.list("\"a,b\" , ,W/\"\"") == [EntityTag("a,b"), EntityTag("", isWeak: true)])
        #expect(EntityTag.list("\"a\" \"b\"") == nil)
        #expect(EntityTag.list("\"a") == nil)
        #expect(EntityTag.list("") == [])
        #expect(EntityTag("a\"b c").field == "\"a_b_c\"")
    }
}
