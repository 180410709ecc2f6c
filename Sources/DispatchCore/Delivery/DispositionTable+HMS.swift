extension DispositionTable {
    /// Huawei, “Sending Messages” (Push Kit, REST API); the word is the business code, which a 200 carries too.
    ///
    /// The hub names one token in each request, so `80100000`, some tokens being illegal, is a word against that token.
    /// `80300007`, all tokens being invalid, also comes of a wrong app or address, so it proves nothing.
    static let hmsRows = rows(
        .hms,
        [
            (200, ["80000000"], Consequence(.accepted)),
            (200, ["80100000"], Consequence(.unregistered, device: .retire)),
            (
                200,
                ["80100001", "80100003", "80100004", "80100013", "80100016", "80300010", "80300011", "80300013"],
                Consequence(.failed)
            ),
            (200, ["80100017"], Consequence(.backoff, scope: .credential)),
            (200, ["80200001", "80200003", "80200005"], Consequence(.reauthenticate, scope: .credential)),
            (200, ["80300002"], Consequence(.stop, scope: .credential)),
            (200, ["80300007"], Consequence(.suspect, device: .count)),
            (200, ["80300008"], Consequence(.tooLarge)),
            (200, ["80600003", "81000001"], Consequence(.backoff, scope: .platform)),
            (401, [""], Consequence(.reauthenticate, scope: .credential)),
            (404, [""], Consequence(.stop, scope: .credential)),
            (500, [""], Consequence(.backoff, scope: .platform)),
            (502, [""], Consequence(.backoff, scope: .platform)),
            // Flow control: the app sends faster than it may.
            (503, [""], Consequence(.backoff, scope: .credential)),
        ]
    )
}
