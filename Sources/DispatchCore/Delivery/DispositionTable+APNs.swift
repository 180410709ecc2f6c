extension DispositionTable {
    /// Apple, “Handling notification responses from APNs” and “Handling error responses” (of broadcast channels).
    ///
    /// After `ExpiredProviderToken` and `TooManyProviderTokenUpdates` a connection was seen to answer nothing else, so
    /// both reach as far as their connection; the latter keeps its token. Apple asks for 15 minutes after a server
    /// error; the hub goes by its own policy (decision 8).
    static let apnsRows =
        rows(
            .apns,
            [
                (200, [""], Consequence(.accepted)),
                (
                    400,
                    [
                        "BadCollapseId", "BadExpirationDate", "BadMessageId", "BadPriority", "DuplicateHeaders",
                        "InvalidPushType", "MissingDeviceToken", "PayloadEmpty",
                    ],
                    Consequence(.failed)
                ),
                // A token of the other environment or of another app is told in the same words: the cause may be ours.
                (400, ["BadDeviceToken", "DeviceTokenNotForTopic"], Consequence(.suspect, device: .count)),
                (400, ["BadTopic", "MissingTopic", "TopicDisallowed"], Consequence(.stop, scope: .app)),
                (400, ["IdleTimeout"], Consequence(.reconnect, scope: .connection)),
                (403, ["ExpiredProviderToken"], Consequence(.reauthenticate, scope: .connection)),
                (
                    403,
                    [
                        "BadCertificate", "BadCertificateEnvironment", "BadEnvironmentKeyIdInToken",
                        "BadEnvironmentKeyInToken", "Forbidden", "InvalidProviderToken", "MissingProviderToken",
                    ],
                    Consequence(.stop, scope: .credential)
                ),
                (403, ["UnrelatedKeyIdInToken"], Consequence(.reconnect, scope: .connection)),
                (404, ["BadPath"], Consequence(.failed)),
                (405, ["MethodNotAllowed"], Consequence(.failed)),
                (410, ["ExpiredToken", "Unregistered"], Consequence(.unregistered, device: .retireIfRegisteredBefore)),
                (413, ["PayloadTooLarge"], Consequence(.tooLarge)),
                (429, ["TooManyProviderTokenUpdates"], Consequence(.reconnect, scope: .connection)),
                (429, ["TooManyRequests"], Consequence(.backoff, scope: .device)),
                (500, ["InternalServerError"], Consequence(.backoff, scope: .platform)),
                // The broadcast page spells it in two words.
                (503, ["ServiceUnavailable", "Service Unavailable"], Consequence(.backoff, scope: .platform)),
                (503, ["Shutdown"], Consequence(.reconnect, scope: .connection)),
            ]
        ) + apnsBroadcastRows

    /// The answers only broadcast channels get; a registration that holds an unknown channel is dead.
    private static let apnsBroadcastRows = rows(
        .apns,
        [
            (
                400,
                ["BadChannelId", "BadRequestParams", "BadRequestPayload", "MissingChannelId", "MissingPushType"],
                Consequence(.failed)
            ),
            (400, ["CannotCreateChannelConfig", "FeatureNotEnabled"], Consequence(.stop, scope: .app)),
            (400, ["ChannelNotRegistered"], Consequence(.unregistered, device: .retire)),
            (403, ["TopicMismatch"], Consequence(.stop, scope: .app)),
        ]
    )
}
