/// What each answer of each gateway calls for, as data.
///
/// An answer is looked up by platform, status and reason, then by platform and status alone, then by the class of its
/// status: a new reason never retires a device, because only a row with that reason can.
public struct DispositionTable: Sendable {
    /// One answer and what it calls for.
    public struct Row: Hashable, Sendable {
        /// Whose answer it is.
        public let platform: Platform

        /// The HTTP status.
        public let status: Int

        /// The gateway's word, or empty for a row that covers all words without a row of their own.
        public let reason: String

        /// What the answer calls for.
        public let disposition: Disposition
    }

    /// All rows.
    public static let rows: [Row] = apnsRows + fcmRows + browserRows + wnsRows

    /// What an outcome calls for.
    public static func disposition(of outcome: DeliveryOutcome, platform: Platform) -> Disposition {
        switch outcome {
        case .accepted: .accepted
        // The gateway's client has dropped the broken connection itself.
        case .failed: .backoff
        case .rejected(let rejection): disposition(of: rejection, platform: platform)
        }
    }

    /// The least pause before the next attempt, where the gateway asks for one or is known to need one.
    ///
    /// FCM's quota refills within the minute after it is used up, so its 429 without `Retry-After` waits one minute.
    public static func retryAfter(of outcome: DeliveryOutcome, platform: Platform) -> Duration? {
        guard case .rejected(let rejection) = outcome else { return nil }
        if let retryAfter = rejection.retryAfter { return retryAfter }
        return platform == .fcmV1 && rejection.status == 429 ? .seconds(60) : nil
    }

    private static func disposition(of rejection: GatewayRejection, platform: Platform) -> Disposition {
        let key = Key(platform: platform, status: rejection.status, reason: rejection.reason)
        let anyReason = Key(platform: platform, status: rejection.status, reason: "")
        let found = index[key] ?? index[anyReason] ?? disposition(ofStatus: rejection.status)
        return found == .backoff && rejection.retryAfter != nil ? .retryAfter : found
    }

    /// The rule for answers nobody has met yet.
    private static func disposition(ofStatus status: Int) -> Disposition {
        switch status {
        case 200..<300: .accepted
        case 408, 425, 429: .backoff
        case 413: .tooLarge
        case 500...: .backoff
        default: .failed
        }
    }

    private struct Key: Hashable {
        let platform: Platform
        let status: Int
        let reason: String
    }

    private static let index = Dictionary(
        uniqueKeysWithValues: rows.map {
            (Key(platform: $0.platform, status: $0.status, reason: $0.reason), $0.disposition)
        }
    )

    static func rows(
        _ platform: Platform,
        _ answers: [(status: Int, reasons: [String], disposition: Disposition)]
    ) -> [Row] {
        answers.flatMap { answer in
            answer.reasons.map {
                Row(platform: platform, status: answer.status, reason: $0, disposition: answer.disposition)
            }
        }
    }
}
