extension DispositionTable {
    /// What RFC 8030 and RFC 8292 say of any push service, then the words of those that have their own.
    ///
    /// One push service's trouble is none of the others': its limits and failures reach as far as its host.
    static let browserRows = genericRows + appleWebRows + mozillaRows + windowsWebRows

    private static let genericRows = rows(
        .browser,
        [
            (200, [""], Consequence(.accepted)),
            (201, [""], Consequence(.accepted)),
            (202, [""], Consequence(.accepted)),
            (301, [""], Consequence(.failed)),
            (400, [""], Consequence(.failed)),
            // Also the answer to a stale or mangled subscription, so one device does not stop all.
            (401, [""], Consequence(.suspect, device: .count)),
            (403, [""], Consequence(.stop, scope: .credential)),
            (404, [""], Consequence(.unregistered, device: .retire)),
            (405, [""], Consequence(.failed)),
            (406, [""], Consequence(.retryAfter, scope: .origin)),
            (410, [""], Consequence(.unregistered, device: .retire)),
            (413, [""], Consequence(.tooLarge)),
            (429, [""], Consequence(.retryAfter, scope: .origin)),
            (500, [""], Consequence(.backoff, scope: .origin)),
            (502, [""], Consequence(.backoff, scope: .origin)),
            (503, [""], Consequence(.retryAfter, scope: .origin)),
            (504, [""], Consequence(.backoff, scope: .origin)),
        ]
    )

    /// Apple, “Sending web push notifications in web apps and browsers”.
    ///
    /// A path that Apple cannot read may be our fault, so `BadPath` does not retire as other 404s do.
    private static let appleWebRows = rows(
        .browser,
        [
            (400, ["BadTtl", "BadUrgency", "BadWebPushRequest", "BadWebPushTopic"], Consequence(.failed)),
            (400, ["IdleTimeout"], Consequence(.reconnect, scope: .connection)),
            (
                403,
                ["BadAuthorizationHeader", "BadJwtToken", "BadVapidPublicKey"],
                Consequence(.stop, scope: .credential)
            ),
            // The page subscribed with another key than the one the hub signs with.
            (403, ["VapidPkHashMismatch"], Consequence(.suspect, device: .count)),
            (404, ["BadPath"], Consequence(.suspect, device: .count)),
            (405, ["MethodNotAllowed"], Consequence(.failed)),
            (413, ["PayloadTooLarge"], Consequence(.tooLarge)),
            (429, ["TooManyRequests"], Consequence(.retryAfter, scope: .device)),
            (500, ["InternalServerError"], Consequence(.backoff, scope: .origin)),
            (503, ["ServiceUnavailable"], Consequence(.retryAfter, scope: .origin)),
            (503, ["Shutdown"], Consequence(.reconnect, scope: .connection)),
        ]
    )

    /// Mozilla, Autopush, “Error Codes”.
    ///
    /// The word is Mozilla's `errno`: 201 asks for about two minutes of quiet, 202 allows another try at once.
    private static let mozillaRows = rows(
        .browser,
        [
            (
                400,
                ["errno 101", "errno 108", "errno 110", "errno 111", "errno 112", "errno 113", "errno 114"],
                Consequence(.failed)
            ),
            (401, ["errno 109"], Consequence(.suspect, device: .count)),
            (404, ["errno 102"], Consequence(.unregistered, device: .retire)),
            (410, ["errno 103", "errno 105", "errno 106"], Consequence(.unregistered, device: .retire)),
            (413, ["errno 104"], Consequence(.tooLarge)),
            (429, ["errno 201"], Consequence(.retryAfter, scope: .origin, pause: .seconds(120))),
            (500, ["errno 999"], Consequence(.backoff, scope: .origin)),
            (502, ["errno 900", "errno 901", "errno 902", "errno 903"], Consequence(.backoff, scope: .origin)),
            (503, ["errno 201"], Consequence(.retryAfter, scope: .origin, pause: .seconds(120))),
            (503, ["errno 202"], Consequence(.backoff)),
        ]
    )

    /// Edge's subscriptions are channels of WNS, which answers them with the same words as its own.
    private static let windowsWebRows =
        [200, 201].flatMap { status in
            rows(
                .browser,
                [
                    (status, ["received"], Consequence(.accepted)),
                    (status, ["dropped"], Consequence(.failed, device: .count)),
                    (status, ["channelthrottled"], Consequence(.backoff, scope: .device, pause: .seconds(600))),
                ]
            )
        } + rows(.browser, [(410, ["domain blocked"], Consequence(.stop, scope: .credential))])
}
