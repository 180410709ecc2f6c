extension DispositionTable {
    /// Microsoft, “Push notification service request and response headers”; the word is `X-WNS-Status`, and for a
    /// sender that was blocked the description of the error.
    ///
    /// A dropped push may mean that the user turned notifications off. Microsoft gives no pauses; 10 minutes for a
    /// throttled channel, and an hour for a throttled sender or a device out of reach, are what rpush settled on. It
    /// also is where 412 was met, which Microsoft no longer lists.
    static let wnsRows = rows(
        .wns,
        [
            (200, ["received"], Consequence(.accepted)),
            (200, ["dropped"], Consequence(.failed, device: .count)),
            (200, ["channelthrottled"], Consequence(.backoff, scope: .device, pause: .seconds(600))),
            (400, [""], Consequence(.failed)),
            (401, [""], Consequence(.reauthenticate, scope: .credential)),
            (403, [""], Consequence(.stop, scope: .credential)),
            (404, [""], Consequence(.unregistered, device: .retire)),
            (405, [""], Consequence(.failed)),
            (406, [""], Consequence(.retryAfter, scope: .credential, pause: .seconds(3600))),
            (410, [""], Consequence(.unregistered, device: .retire)),
            (410, ["domain blocked"], Consequence(.stop, scope: .credential)),
            (412, [""], Consequence(.backoff, scope: .device, pause: .seconds(3600))),
            (413, [""], Consequence(.tooLarge)),
            (500, [""], Consequence(.backoff, scope: .platform)),
            (503, [""], Consequence(.retryAfter, scope: .platform)),
        ]
    )
}
