/// Turns an expression into SQL text and collects the values to bind.
struct TagExpressionCompiler {
    private let alias: String
    private let firstParameter: Int
    private(set) var parameters: [SQLParameter] = []

    init(alias: String, firstParameter: Int) {
        self.alias = alias
        self.firstParameter = firstParameter
    }

    /// One condition that stands for itself next to AND, OR and NOT.
    ///
    /// `isNegated` says that a NOT is around it; a null must then be false already here, or it would stay null outside.
    mutating func condition(for expression: TagExpression, isNegated: Bool) -> String {
        switch expression {
        case .tag(let tag): "\(alias).tags @> \(bind(.texts([tag.text])))"
        case .installation(let id): "\(alias).installation_id = \(bind(.text(id)))"
        case .user(let id): userCondition("= \(bind(.text(id)))", isNegated: isNegated)
        case .and(let operands): all(operands, isNegated: isNegated)
        case .or(let operands): any(operands, isNegated: isNegated)
        case .not(let operand): "NOT (\(condition(for: operand, isNegated: true)))"
        }
    }

    private mutating func all(_ operands: [TagExpression], isNegated: Bool) -> String {
        let terms = Terms(operands)
        var conditions: [String] = []
        if !terms.tags.isEmpty { conditions.append("\(alias).tags @> \(bind(.texts(terms.tags)))") }
        if !terms.notTags.isEmpty { conditions.append("NOT (\(alias).tags && \(bind(.texts(terms.notTags))))") }
        for id in terms.installations {
            conditions.append(condition(for: .installation(id), isNegated: isNegated))
        }
        for id in terms.users {
            conditions.append(condition(for: .user(id), isNegated: isNegated))
        }
        for operand in terms.others {
            conditions.append(condition(for: operand, isNegated: isNegated))
        }
        return Self.joined(conditions, by: " AND ", empty: "true")
    }

    private mutating func any(_ operands: [TagExpression], isNegated: Bool) -> String {
        let terms = Terms(operands)
        var conditions: [String] = []
        if !terms.tags.isEmpty { conditions.append("\(alias).tags && \(bind(.texts(terms.tags)))") }
        if !terms.notTags.isEmpty { conditions.append("NOT (\(alias).tags @> \(bind(.texts(terms.notTags))))") }
        if !terms.installations.isEmpty {
            conditions.append("\(alias).installation_id = ANY(\(bind(.texts(terms.installations))))")
        }
        if !terms.users.isEmpty {
            conditions.append(userCondition("= ANY(\(bind(.texts(terms.users))))", isNegated: isNegated))
        }
        for operand in terms.others {
            conditions.append(condition(for: operand, isNegated: isNegated))
        }
        return Self.joined(conditions, by: " OR ", empty: "false")
    }

    private func userCondition(_ comparison: String, isNegated: Bool) -> String {
        isNegated ? "coalesce(\(alias).user_id \(comparison), false)" : "\(alias).user_id \(comparison)"
    }

    private mutating func bind(_ parameter: SQLParameter) -> String {
        parameters.append(parameter)
        let number = firstParameter + parameters.count - 1
        return switch parameter {
        case .text: "$\(number)::text"
        case .texts: "$\(number)::text[]"
        }
    }

    private static func joined(_ conditions: [String], by separator: String, empty: String) -> String {
        switch conditions.count {
        case 0: empty
        case 1: conditions[0]
        default: "(" + conditions.joined(separator: separator) + ")"
        }
    }
}

extension TagExpressionCompiler {
    /// The operands of one `&&` or `||` by kind, so that those of a kind share one parameter.
    private struct Terms {
        var tags: [String] = []
        var notTags: [String] = []
        var installations: [String] = []
        var users: [String] = []
        var others: [TagExpression] = []

        init(_ operands: [TagExpression]) {
            for operand in operands {
                switch operand {
                case .tag(let tag): tags.append(tag.text)
                case .not(.tag(let tag)): notTags.append(tag.text)
                case .installation(let id): installations.append(id)
                case .user(let id): users.append(id)
                case .not, .and, .or: others.append(operand)
                }
            }
        }
    }
}
