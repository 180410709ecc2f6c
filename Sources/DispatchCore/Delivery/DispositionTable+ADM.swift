extension DispositionTable {
    /// Amazon, “Send a Message via ADM”.
    ///
    /// An accepted push names the device's registration id; where it differs, it takes the old one's place.
    static let admRows = rows(
        .adm,
        [
            (200, [""], Consequence(.accepted, device: .replaceChannel)),
            (400, ["InvalidRegistrationId", "Unregistered"], Consequence(.unregistered, device: .retire)),
            (
                400,
                ["InvalidChecksum", "InvalidConsolidationKey", "InvalidData", "InvalidExpiration", "InvalidType"],
                Consequence(.failed)
            ),
            (401, ["", "AccessTokenExpired"], Consequence(.reauthenticate, scope: .credential)),
            (413, ["MessageTooLarge"], Consequence(.tooLarge)),
            (429, ["MaxRateExceeded"], Consequence(.retryAfter, scope: .credential)),
            (500, [""], Consequence(.retryAfter, scope: .platform)),
            (503, [""], Consequence(.retryAfter, scope: .platform)),
        ]
    )
}
