/// What each answer of each gateway leads to, as data.
///
/// An answer is looked up by platform, status and reason, then by platform and status alone, then by the class of its
/// status: a new reason never retires a device, because only a row can.
public struct DispositionTable: Sendable {
    /// One answer and what it leads to.
    public struct Row: Hashable, Sendable {
        /// Whose answer it is.
        public let platform: Platform

        /// The HTTP status.
        public let status: Int

        /// The gateway's word, or empty for a row that covers all words without a row of their own.
        public let reason: String

        /// What the answer leads to.
        public let consequence: Consequence

        /// What the answer calls for.
        public var disposition: Disposition { consequence.disposition }
    }

    /// All rows.
    public static let rows: [Row] = apnsRows + fcmRows + browserRows + wnsRows + admRows + hmsRows

    /// What an outcome leads to; its pause is the gateway's `Retry-After`, else the one known to be needed.
    public static func consequence(of outcome: DeliveryOutcome, platform: Platform) -> Consequence {
        switch outcome {
        case .accepted(_, let newChannel): newChannel == nil ? accepted : acceptedElsewhere
        // The gateway's client has dropped the broken connection itself.
        case .failed: unanswered
        case .rejected(let rejection):
            consequence(of: rejection, platform: platform).honoring(rejection.retryAfter)
        }
    }

    /// What an outcome calls for.
    public static func disposition(of outcome: DeliveryOutcome, platform: Platform) -> Disposition {
        consequence(of: outcome, platform: platform).disposition
    }

    /// The least pause before the next attempt, where the gateway asks for one or is known to need one.
    public static func retryAfter(of outcome: DeliveryOutcome, platform: Platform) -> Duration? {
        consequence(of: outcome, platform: platform).pause
    }

    private static let accepted = Consequence(.accepted)
    private static let acceptedElsewhere = Consequence(.accepted, device: .replaceChannel)
    private static let unanswered = Consequence(.backoff, scope: .connection)

    private static func consequence(of rejection: GatewayRejection, platform: Platform) -> Consequence {
        row(for: rejection, platform: platform) ?? consequence(ofStatus: rejection.status, platform: platform)
    }

    private struct Key: Hashable {
        let platform: Platform
        let status: Int
        let reason: String
    }

    private static let index = Dictionary(
        uniqueKeysWithValues: rows.map {
            (Key(platform: $0.platform, status: $0.status, reason: $0.reason), $0.consequence)
        }
    )
}

extension DispositionTable {
    /// What the table says about an answer, by its word or for any word; nil for an answer that no vendor describes.
    static func row(for rejection: GatewayRejection, platform: Platform) -> Consequence? {
        let status = rejection.status
        let found = index[Key(platform: platform, status: status, reason: rejection.reason)]
        return found ?? index[Key(platform: platform, status: status, reason: "")]
    }

    /// The rule for answers nobody has met yet.
    ///
    /// WNS and HMS put refusals into answers with status 200, so a success with an unknown word counts as a refusal
    /// there: it is recorded with the word, instead of passing for accepted or being sent again and again.
    private static func consequence(ofStatus status: Int, platform: Platform) -> Consequence {
        switch status {
        case 200..<300: Consequence(platform == .wns || platform == .hms ? .failed : .accepted)
        case 408, 425: Consequence(.backoff)
        case 413: Consequence(.tooLarge)
        // Whose limit it was is unknown, so only the one that met it waits.
        case 429: Consequence(.retryAfter, scope: .device)
        case 500...: Consequence(.backoff, scope: platform == .browser ? .origin : .platform)
        default: Consequence(.failed)
        }
    }

    static func rows(
        _ platform: Platform,
        _ answers: [(status: Int, reasons: [String], consequence: Consequence)]
    ) -> [Row] {
        answers.flatMap { answer in
            answer.reasons.map {
                Row(platform: platform, status: answer.status, reason: $0, consequence: answer.consequence)
            }
        }
    }
}
