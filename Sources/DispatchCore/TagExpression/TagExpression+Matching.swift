extension TagExpression {
    /// Whether an installation with these tags and ids is selected; the meaning that the SQL form must agree with.
    ///
    /// An installation without a user matches no `$UserId` and every `!$UserId`.
    public func matches(tags: Set<Tag>, installationID: String, userID: String?) -> Bool {
        switch self {
        case .tag(let tag): tags.contains(tag)
        case .installation(let id): id.hasSameBytes(as: installationID)
        case .user(let id): userID?.hasSameBytes(as: id) ?? false
        case .and(let operands):
            operands.allSatisfy { $0.matches(tags: tags, installationID: installationID, userID: userID) }
        case .or(let operands):
            operands.contains { $0.matches(tags: tags, installationID: installationID, userID: userID) }
        case .not(let operand): !operand.matches(tags: tags, installationID: installationID, userID: userID)
        }
    }
}
