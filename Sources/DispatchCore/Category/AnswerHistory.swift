/// One device's answers to one notification, when one of them is judged by rules.
public struct AnswerHistory: Hashable, Sendable {
    /// The actions in the order of the device's own clock, with none that the hub has learned of after the judged one.
    public let actions: [String]

    /// Where the judged answer stands.
    public let position: Int

    /// Takes the answers and which of them is judged; nil when there is none at the position.
    public init?(actions: [String], position: Int) {
        guard actions.indices.contains(position) else { return nil }
        self.actions = actions
        self.position = position
    }

    /// The action of the judged answer.
    public var action: String { actions[position] }

    /// Its number among the answers by its action, counted from 1 since the last one by the action `start`.
    ///
    /// 0 for an answer that the hub has learned of late: by the device's clock it was before that `start`.
    public func number(since start: String?) -> Int {
        let last = start.flatMap { start in actions.lastIndex { $0.hasSameBytes(as: start) } }
        let first = last.map { $0 + 1 } ?? 0
        guard position >= first else { return 0 }
        return actions[first...].count { $0.hasSameBytes(as: action) }
    }
}
