import DispatchCore

/// An answer that has a rule, and the job that the rule makes.
struct AnswerUpdate: Sendable {
    let answer: AddressedReceipt
    let audience: RuleAudience
    let job: FollowUp

    /// Nil when no rule is for the answer.
    init?(_ found: FoundAnswer) {
        guard let category = found.category, let history = found.history, let index = category.rule(for: history) else {
            return nil
        }
        let rule = category.rules[index]
        let job = FollowUp(
            of: rule,
            id: found.answer.followUpID(rule: index),
            original: found.job,
            notification: found.jobID,
            number: found.answer.notification,
            devices: [found.answer.receipt.installationID] + (rule.audience == .user ? found.otherDevices : []),
            expiresAt: found.expiresAt
        )
        guard let job else { return nil }
        answer = found.answer
        audience = rule.audience
        self.job = job
    }

    /// Whether nobody needs this one beside the later one.
    func isReplaced(by later: AnswerUpdate) -> Bool {
        answer.notification == later.answer.notification && answer.installation == later.answer.installation
            && audience == later.audience
    }
}

extension AddressedReceipt {
    /// The id of the job that the rule makes of this answer: the same whenever it is made.
    fileprivate func followUpID(rule index: Int) -> UUIDValue {
        UUIDValue(named: "\(notification.rawValue) \(installation.rawValue) \(index) \(receipt.id)")
    }
}
