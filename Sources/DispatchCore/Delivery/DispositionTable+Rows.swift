extension DispositionTable {
    /// Apple, "Handling notification responses from APNs".
    ///
    /// `ExpiredProviderToken` also asks for a new connection, `TooManyProviderTokenUpdates` for a new connection with
    /// the same token.
    static let apnsRows = rows(
        .apns,
        [
            (200, [""], .accepted),
            (
                400,
                [
                    "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders",
                    "InvalidPushType", "MissingDeviceToken", "PayloadEmpty", "MissingChannelId", "BadChannelId",
                    "BadRequestParams", "BadRequestPayload", "MissingPushType",
                ],
                .failed
            ),
            (400, ["BadDeviceToken", "DeviceTokenNotForTopic"], .suspect),
            (
                400,
                ["BadTopic", "MissingTopic", "TopicDisallowed", "FeatureNotEnabled", "CannotCreateChannelConfig"],
                .stop
            ),
            (400, ["ChannelNotRegistered"], .unregistered),
            (400, ["IdleTimeout"], .reconnect),
            (
                403,
                [
                    "BadCertificate", "BadCertificateEnvironment", "Forbidden", "InvalidProviderToken",
                    "MissingProviderToken", "BadEnvironmentKeyIdInToken", "BadEnvironmentKeyInToken", "TopicMismatch",
                ],
                .stop
            ),
            (403, ["ExpiredProviderToken"], .reauthenticate),
            (403, ["UnrelatedKeyIdInToken"], .reconnect),
            (404, ["BadPath"], .failed),
            (405, ["MethodNotAllowed"], .failed),
            (410, ["Unregistered", "ExpiredToken"], .unregistered),
            (413, ["PayloadTooLarge"], .tooLarge),
            (429, ["TooManyRequests"], .backoff),
            (429, ["TooManyProviderTokenUpdates"], .reconnect),
            (500, ["InternalServerError"], .backoff),
            (503, ["ServiceUnavailable", "Service Unavailable"], .backoff),
            (503, ["Shutdown"], .reconnect),
        ]
    )

    /// Firebase, "ErrorCode"; a 404 without `UNREGISTERED` means a wrong project, not a dead device.
    static let fcmRows = rows(
        .fcmV1,
        [
            (200, [""], .accepted),
            (400, ["INVALID_ARGUMENT"], .failed),
            (400, ["INVALID_ARGUMENT(token)"], .suspect),
            (400, ["INVALID_ARGUMENT(size)"], .tooLarge),
            (401, ["THIRD_PARTY_AUTH_ERROR", "APNS_AUTH_ERROR"], .stop),
            (401, ["", "UNAUTHENTICATED"], .reauthenticate),
            (403, ["SENDER_ID_MISMATCH"], .suspect),
            (403, ["", "PERMISSION_DENIED"], .stop),
            (404, ["UNREGISTERED"], .unregistered),
            (404, ["", "NOT_FOUND"], .stop),
            (429, ["", "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"], .retryAfter),
            (500, ["", "INTERNAL"], .backoff),
            (502, [""], .backoff),
            (503, ["", "UNAVAILABLE"], .retryAfter),
            (504, [""], .backoff),
        ]
    )

    /// RFC 8030 and the push services' own answers.
    static let browserRows = rows(
        .browser,
        [
            (400, [""], .failed),
            (401, [""], .suspect),
            (403, [""], .stop),
            (404, [""], .unregistered),
            (406, [""], .retryAfter),
            (410, [""], .unregistered),
            (429, [""], .retryAfter),
            (503, [""], .retryAfter),
        ]
    )

    /// Microsoft, "Push notification service request and response headers".
    static let wnsRows = rows(
        .wns,
        [
            (200, ["dropped"], .failed),
            (200, ["channelthrottled"], .backoff),
            (401, [""], .reauthenticate),
            (403, [""], .stop),
            (404, [""], .unregistered),
            (406, [""], .retryAfter),
            (410, [""], .unregistered),
            (410, ["domain blocked"], .stop),
            (412, [""], .backoff),
            (503, [""], .retryAfter),
        ]
    )
}
