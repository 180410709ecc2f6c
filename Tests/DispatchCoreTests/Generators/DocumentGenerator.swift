import DispatchCore

/// Makes documents that decode, from a seed: every member of the formats, extremes of size and nasty characters.
///
/// The facets hold one kind of document each; what they make is JSON, so that the decoders are tested with it too.
struct DocumentGenerator {
    /// Makes one value and may roll the dice for it.
    typealias Maker = (inout DocumentGenerator) -> JSONValue

    var dice: SplitMix

    /// Whether texts and lists may be as long as the formats allow; otherwise they stay short, and rates high.
    var isLavish = true

    init(seed: UInt64) {
        dice = SplitMix(seed: seed)
    }

    mutating func chance(_ percent: Int) -> Bool { dice.below(100) < percent }

    /// An object of the members whose turn it is, in any order.
    mutating func object(
        _ percent: Int,
        needed: [String] = [],
        atLeastOne: Bool = false,
        _ makers: KeyValuePairs<String, Maker>
    ) -> JSONValue {
        var members = makers.compactMap { name, make in
            needed.contains(name) || chance(percent) ? JSONMember(name: name, value: make(&self)) : nil
        }
        if members.isEmpty && atLeastOne {
            let (name, make) = makers[dice.below(makers.count)]
            members.append(JSONMember(name: name, value: make(&self)))
        }
        members.shuffle(using: &dice)
        return .object(members)
    }

    /// A list of `range` elements, short ones more often.
    mutating func list(_ range: ClosedRange<Int>, _ make: Maker) -> JSONValue {
        let longest = isLavish && chance(5) ? range.upperBound : min(range.upperBound, range.lowerBound + 3)
        return .array((0..<Int.random(in: range.lowerBound...longest, using: &dice)).map { _ in make(&self) })
    }

    mutating func choice(_ words: String...) -> JSONValue { .string(dice.pick(words)) }

    mutating func flag() -> JSONValue { .bool(chance(50)) }

    /// An integer, often at an end of the range.
    mutating func integer(_ range: ClosedRange<Int64>) -> JSONValue {
        switch dice.below(4) {
        case 0: .number(JSONNumber(range.lowerBound))
        case 1: .number(JSONNumber(range.upperBound))
        default: .number(JSONNumber(Int64.random(in: range, using: &dice)))
        }
    }

    /// A number from 0 to 1, in spellings that a parser could change.
    mutating func share() -> JSONValue {
        Self.number(dice.pick(["0", "1", "0.5", "0.750", "1e-3", "0.1E+0", "1.0", "0.3333333333333333", "-0"]))
    }

    /// A number of any size and spelling.
    mutating func anyNumber() -> JSONValue {
        Self.number(
            dice.pick([
                "0", "-0", "7", "-7", "1.10", "1e2", "1E+2", "2.5e-3", "12345678901234567890", "9007199254740993",
                "-9223372036854775808", "1.7976931348623157e308", "4.9e-324", "0.1000000000000000055511151231257827",
            ])
        )
    }

    static func number(_ text: String) -> JSONValue {
        JSONNumber(text: text).map { .number($0) } ?? .null
    }
}
