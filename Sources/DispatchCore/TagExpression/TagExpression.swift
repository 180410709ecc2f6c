/// A selection of installations: tags, user and installation ids joined by `!`, `&&` and `||`.
///
/// Operands are arrays, so that a chain of thousands stays one level deep. The parser and the makers `all(of:)` and
/// `any(of:)` never put an `and` directly into an `and` (nor `or` into `or`) and give every one two operands or more; for such
/// expressions the printed form reads back as the same expression.
public enum TagExpression: Sendable {
    /// Installations that carry the tag.
    case tag(Tag)

    /// The installation with this id.
    case installation(String)

    /// The installations of this user.
    case user(String)

    /// What all operands select.
    case and([TagExpression])

    /// What at least one operand selects.
    case or([TagExpression])

    /// What the operand does not select.
    indirect case not(TagExpression)

    /// The longest text in bytes.
    public static let greatestLength = 16 * 1024

    /// How many parentheses and `!` may be open at once.
    public static let greatestDepth = 64
}

extension TagExpression {
    /// Joins operands by `&&`, dissolving an `and` among them; one operand is itself.
    public static func all(of operands: [TagExpression]) -> TagExpression {
        guard operands.count != 1 else { return operands[0] }
        return .and(
            operands.flatMap { operand in
                if case .and(let inner) = operand { inner } else { [operand] }
            }
        )
    }

    /// Joins operands by `||`, dissolving an `or` among them; one operand is itself.
    public static func any(of operands: [TagExpression]) -> TagExpression {
        guard operands.count != 1 else { return operands[0] }
        return .or(
            operands.flatMap { operand in
                if case .or(let inner) = operand { inner } else { [operand] }
            }
        )
    }

    /// The tag, when the expression is one tag and nothing else.
    public var pointTag: Tag? {
        guard case .tag(let tag) = self else { return nil }
        return tag
    }

    /// The user id, when the expression is one user and nothing else.
    public var pointUser: String? {
        guard case .user(let id) = self else { return nil }
        return id
    }

    /// The installation id, when the expression is one installation and nothing else.
    public var pointInstallation: String? {
        guard case .installation(let id) = self else { return nil }
        return id
    }
}

extension TagExpression: Hashable {
    /// Compares the shape and the bytes of every term.
    public static func == (left: TagExpression, right: TagExpression) -> Bool {
        switch (left, right) {
        case (.tag(let left), .tag(let right)): left == right
        case (.installation(let left), .installation(let right)): left.hasSameBytes(as: right)
        case (.user(let left), .user(let right)): left.hasSameBytes(as: right)
        case (.and(let left), .and(let right)), (.or(let left), .or(let right)): left == right
        case (.not(let left), .not(let right)): left == right
        case (.tag, _), (.installation, _), (.user, _), (.and, _), (.or, _), (.not, _): false
        }
    }

    /// Feeds the shape and the bytes of every term.
    public func hash(into hasher: inout Hasher) {
        switch self {
        case .tag(let tag): hasher.combine(tag)
        case .installation(let id), .user(let id): hasher.combine(UTF8Text(id))
        case .and(let operands): hasher.combine(operands)
        case .or(let operands): hasher.combine(operands)
        case .not(let operand):
            hasher.combine(false)
            hasher.combine(operand)
        }
    }
}
