/// A kind of notification that an app declares once: its buttons, and how the system treats it.
public struct ActionCategory: Hashable, Sendable {
    /// What notifications name it by.
    public let id: String

    /// Its buttons in their order.
    public let actions: [CategoryAction]

    /// The SiriKit intents its notifications stand for.
    public let intents: [String]

    /// How its notifications are treated.
    public let options: Set<CategoryOption>

    /// What is shown instead of the text where previews are hidden, such as `%u messages`.
    public let hiddenPreviewsBodyPlaceholder: String?

    /// How a group of its notifications is summed up, such as `%u more messages from %@`.
    public let summaryFormat: String?

    /// What the app's content extension for it is built like.
    public let contentExtension: ContentExtensionHints?

    /// What becomes of its notifications once they are answered; of those that are for an answer the first counts.
    public let rules: [CategoryRule]

    /// Takes checked values.
    public init(
        id: String,
        actions: [CategoryAction] = [],
        intents: [String] = [],
        options: Set<CategoryOption> = [],
        hiddenPreviewsBodyPlaceholder: String? = nil,
        summaryFormat: String? = nil,
        contentExtension: ContentExtensionHints? = nil,
        rules: [CategoryRule] = []
    ) {
        self.id = id
        self.actions = actions
        self.intents = intents
        self.options = options
        self.hiddenPreviewsBodyPlaceholder = hiddenPreviewsBodyPlaceholder
        self.summaryFormat = summaryFormat
        self.contentExtension = contentExtension
        self.rules = rules
    }

    /// Where in `rules` the one stands that is for the answer.
    public func rule(for history: AnswerHistory) -> Int? {
        rules.firstIndex { $0.applies(to: history) }
    }
}
