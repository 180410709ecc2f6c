extension TagExpression: CustomStringConvertible {
    /// The expression with the fewest parentheses and ids in braces.
    ///
    /// An id that contains `}` cannot be written in this language; its form here does not read back.
    public var description: String {
        var text = ""
        write(to: &text, inside: .or)
        return text
    }

    /// How closely an operator holds its operands.
    private enum Precedence: Int {
        case or
        case and
        case not
    }

    private func write(to text: inout String, inside outer: Precedence) {
        switch self {
        case .tag(let tag): text += tag.text
        case .installation(let id): text += "$InstallationId:{\(id)}"
        case .user(let id): text += "$UserId:{\(id)}"
        case .and(let operands): Self.write(operands, " && ", .and, to: &text, inside: outer)
        case .or(let operands): Self.write(operands, " || ", .or, to: &text, inside: outer)
        case .not(let operand):
            text += "!"
            operand.write(to: &text, inside: .not)
        }
    }

    private static func write(
        _ operands: [TagExpression],
        _ separator: String,
        _ own: Precedence,
        to text: inout String,
        inside outer: Precedence
    ) {
        let needsParentheses = own.rawValue < outer.rawValue
        if needsParentheses { text += "(" }
        for (index, operand) in operands.enumerated() {
            if index > 0 { text += separator }
            operand.write(to: &text, inside: own)
        }
        if needsParentheses { text += ")" }
    }
}
