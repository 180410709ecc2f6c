import DispatchCore
import Testing

@Suite struct TagExpressionPropertyTests {
    static let words = ["a", "b", "c", "d"]

    @Test("what is printed reads back", arguments: [1, 2, 3, 4])
    func printThenParse(seed: UInt64) throws {
        var generator = SplitMix(seed: seed)
        for _ in 0..<3_000 {
            let expression = Self.expression(depth: 5, using: &generator)
            let text = expression.description
            #expect(try TagExpression(parsing: text) == expression, "seed \(seed): \(text)")
        }
    }

    @Test("matching agrees with the truth table", arguments: [5, 6])
    func truthTable(seed: UInt64) {
        var generator = SplitMix(seed: seed)
        for _ in 0..<300 {
            let expression = Self.expression(depth: 4, using: &generator)
            let postfix = Self.postfix(expression)
            for mask in 0..<16 {
                let tags = Set(Self.words.indices.filter { mask >> $0 & 1 == 1 }.compactMap { Tag(Self.words[$0]) })
                for (installation, user) in [("i1", nil), ("i2", "u1"), ("i1", "u2")] as [(String, String?)] {
                    let facts = Set(tags.map(\.text) + ["$i" + installation] + (user.map { ["$u" + $0] } ?? []))
                    let matches = expression.matches(tags: tags, installationID: installation, userID: user)
                    #expect(matches == Self.evaluate(postfix, facts), "seed \(seed): \(expression)")
                }
            }
        }
    }

    @Test("no mutated text crashes the parser, and what passes reads back from its printed form")
    func fuzz() {
        var generator = SplitMix(seed: 27)
        let seeds = [
            "username:alice && !(muted || $UserId:{bob}) || $InstallationId:x",
            "((a||b)&&!c)||!!d", "$UserId:{'; DROP TABLE installation; --} && a",
        ].map { Array($0.utf8) }
        for _ in 0..<100_000 {
            let bytes = generator.pick(seeds).mutated(using: &generator)
            let text = String(decoding: bytes, as: UTF8.self)
            guard let expression = try? TagExpression(parsing: text) else { continue }
            #expect((try? TagExpression(parsing: expression.description)) == expression, "\(text)")
        }
    }

    static func expression(depth: Int, using generator: inout SplitMix) -> TagExpression {
        switch generator.below(depth > 0 ? 8 : 4) {
        case 0, 1: Tag(generator.pick(words)).map { .tag($0) } ?? .user("u1")
        case 2: .user(generator.pick(["u1", "u2"]))
        case 3: .installation(generator.pick(["i1", "i2"]))
        case 4, 5: .not(expression(depth: depth - 1, using: &generator))
        case 6: .all(of: (0..<(2 + generator.below(3))).map { _ in expression(depth: depth - 1, using: &generator) })
        default: .any(of: (0..<(2 + generator.below(3))).map { _ in expression(depth: depth - 1, using: &generator) })
        }
    }

    /// A second evaluator: postfix on a stack, by counting instead of short-circuiting.
    private static func postfix(_ expression: TagExpression) -> [String] {
        switch expression {
        case .tag(let tag): [tag.text]
        case .installation(let id): ["$i" + id]
        case .user(let id): ["$u" + id]
        case .not(let operand): postfix(operand) + ["!"]
        case .and(let operands): operands.flatMap(postfix) + ["&\(operands.count)"]
        case .or(let operands): operands.flatMap(postfix) + ["|\(operands.count)"]
        }
    }

    private static func evaluate(_ postfix: [String], _ facts: Set<String>) -> Bool {
        var stack: [Bool] = []
        for item in postfix {
            if item == "!" {
                stack.append(!stack.removeLast())
            } else if let count = Int(item.dropFirst()), item.hasPrefix("&") || item.hasPrefix("|") {
                let trues = stack.suffix(count).count { $0 }
                stack.removeLast(count)
                stack.append(item.hasPrefix("&") ? trues == count : trues > 0)
            } else {
                stack.append(facts.contains(item))
            }
        }
        return stack == [true]
    }
}
