/// Status and word of each answer, platform by platform, as `GatewayRejection` has them.
extension SimulatedAnswer {
    typealias Words = (status: Int, reason: String)

    var apnsWords: Words {
        switch self {
        case .unregistered: (410, "Unregistered")
        case .tooLarge: (413, "PayloadTooLarge")
        case .failed: (400, "BadMessageId")
        case .unavailable: (503, "ServiceUnavailable")
        case .throttled: (429, "TooManyRequests")
        case .denied: (403, "InvalidProviderToken")
        case .accepted, .moved, .hang: (200, "")
        }
    }

    var fcmWords: Words {
        switch self {
        case .unregistered: (404, "UNREGISTERED")
        case .tooLarge: (400, "INVALID_ARGUMENT(size)")
        case .failed: (400, "INVALID_ARGUMENT")
        case .unavailable: (503, "UNAVAILABLE")
        case .throttled: (429, "QUOTA_EXCEEDED")
        case .denied: (403, "PERMISSION_DENIED")
        case .accepted, .moved, .hang: (200, "")
        }
    }

    /// RFC 8030 has no words, only statuses.
    var browserWords: Words {
        switch self {
        case .unregistered: (410, "")
        case .tooLarge: (413, "")
        case .failed: (400, "")
        case .unavailable: (503, "")
        case .throttled: (429, "")
        case .denied: (403, "")
        case .accepted, .moved, .hang: (201, "")
        }
    }

    /// Refusals of WNS have no words either; a sender that is too quick gets a status of its own.
    var wnsWords: Words {
        switch self {
        case .unregistered: (410, "")
        case .tooLarge: (413, "")
        case .failed: (400, "")
        case .unavailable: (503, "")
        case .throttled: (406, "")
        case .denied: (403, "")
        case .accepted, .moved, .hang: (200, "received")
        }
    }

    /// ADM has no refusal for good of a credential: it asks for a new one each time.
    var admWords: Words {
        switch self {
        case .unregistered: (400, "Unregistered")
        case .tooLarge: (413, "MessageTooLarge")
        case .failed: (400, "InvalidData")
        case .unavailable: (503, "")
        case .throttled: (429, "MaxRateExceeded")
        case .denied: (401, "AccessTokenExpired")
        case .accepted, .moved, .hang: (200, "")
        }
    }

    /// HMS refuses with status 200 and a business code; only overload is a status, for the whole service and the one app alike.
    var hmsWords: Words {
        switch self {
        case .unregistered: (200, "80100000")
        case .tooLarge: (200, "80300008")
        case .failed: (200, "80100001")
        case .unavailable, .throttled: (503, "")
        case .denied: (200, "80300002")
        case .accepted, .moved, .hang: (200, "80000000")
        }
    }
}
