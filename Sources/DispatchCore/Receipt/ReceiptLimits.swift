/// How much a receipt may hold, each with its reason.
public enum ReceiptLimits {
    /// The receipt's own id and the action's: as long as every other name.
    public static let nameBytes = JobLimits.nameBytes

    /// A reply: as long as the text of a notification, which it may become.
    public static let replyBytes = JobLimits.textBytes

    /// A notification's number: what a double holds exactly, because apps written in JavaScript read it as one.
    public static let notificationNumber: ClosedRange<Int64> = 1...9_007_199_254_740_991
}
