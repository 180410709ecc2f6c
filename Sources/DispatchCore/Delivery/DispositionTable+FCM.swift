extension DispositionTable {
    /// Firebase, “ErrorCode” and “FCM throttling and quotas”.
    ///
    /// A 404 without `UNREGISTERED` means a wrong project, not a dead device. `UNSPECIFIED_ERROR` says nothing and has
    /// no row: it goes by its status. A used-up quota refills in the minute after.
    static let fcmRows = rows(
        .fcmV1,
        [
            (200, [""], Consequence(.accepted)),
            (400, ["INVALID_ARGUMENT"], Consequence(.failed)),
            (400, ["INVALID_ARGUMENT(size)"], Consequence(.tooLarge)),
            (400, ["INVALID_ARGUMENT(token)"], Consequence(.suspect, device: .count)),
            (401, ["", "UNAUTHENTICATED"], Consequence(.reauthenticate, scope: .credential)),
            (401, ["APNS_AUTH_ERROR", "THIRD_PARTY_AUTH_ERROR"], Consequence(.stop, scope: .credential)),
            (403, ["", "PERMISSION_DENIED"], Consequence(.stop, scope: .credential)),
            (403, ["SENDER_ID_MISMATCH"], Consequence(.suspect, device: .count)),
            (404, ["", "NOT_FOUND"], Consequence(.stop, scope: .credential)),
            (404, ["UNREGISTERED"], Consequence(.unregistered, device: .retire)),
            (
                429,
                ["", "QUOTA_EXCEEDED", "RESOURCE_EXHAUSTED"],
                Consequence(.retryAfter, scope: .credential, pause: .seconds(60))
            ),
            (500, ["", "INTERNAL"], Consequence(.backoff, scope: .platform)),
            (502, [""], Consequence(.backoff, scope: .platform)),
            (503, ["", "UNAVAILABLE"], Consequence(.retryAfter, scope: .platform)),
            (504, [""], Consequence(.backoff, scope: .platform)),
        ]
    )
}
