/// Whom a rule updates the answered notification for; the raw value is the spelling in JSON.
public enum RuleAudience: String, CaseIterable, Hashable, Sendable {
    /// The device that has answered.
    case device

    /// Every device of its user that the notification was sent to.
    case user
}
