import DispatchCore
import Testing

@Suite("What each answer leads to")
struct DispositionRowTests {
    private static let now = Timestamp(seconds: 1_700_000_000)
    private static let since = Timestamp(seconds: 1_600_000_000)

    private static func decide(_ row: DispositionTable.Row, attempt: Int = 3) -> DeliveryResult {
        var generator = SplitMix(seed: 1)
        return DeliveryResult.decide(
            outcome: .rejected(.init(status: row.status, reason: row.reason, invalidSince: since)),
            platform: row.platform,
            attempt: attempt,
            wasAmbiguous: false,
            policy: RetryPolicy(),
            now: now,
            expiresAt: nil,
            guarantee: .atLeastOnce,
            using: &generator
        )
    }

    private static func state(after disposition: Disposition) -> DeliveryState {
        switch disposition {
        case .accepted: .accepted
        case .failed, .tooLarge, .unregistered, .suspect: .failed
        case .backoff, .retryAfter, .reauthenticate, .reconnect, .stop: .retrying
        }
    }

    @Test("every row ends a delivery, or has it tried again, as its disposition says", arguments: DispositionTable.rows)
    func delivery(row: DispositionTable.Row) {
        let outcome = DeliveryOutcome.rejected(.init(status: row.status, reason: row.reason))
        #expect(DispositionTable.consequence(of: outcome, platform: row.platform) == row.consequence)
        #expect(DispositionTable.disposition(of: outcome, platform: row.platform) == row.disposition)
        let result = Self.decide(row)
        #expect(result.state == Self.state(after: row.disposition))
        #expect(result.disposition == row.disposition && result.scope == row.consequence.scope)
        #expect(result.attempts == ([.stop, .reauthenticate].contains(row.disposition) ? 2 : 3))
        let word = row.reason.isEmpty ? "HTTP \(row.status)" : row.reason
        #expect(result.reason == (row.disposition == .accepted ? nil : word))
    }

    @Test("every row's pause is waited for", arguments: DispositionTable.rows.filter { $0.consequence.pause != nil })
    func pause(row: DispositionTable.Row) throws {
        let pause = try #require(row.consequence.pause)
        let wait = try #require(Self.decide(row, attempt: 1).nextAttemptAt) - Self.now
        #expect(wait >= pause && wait <= pause * 1.1)
        #expect(row.disposition == .retryAfter || row.disposition == .backoff)
    }

    @Test("every row retires the device or lets it be, as its action says", arguments: DispositionTable.rows)
    func device(row: DispositionTable.Row) {
        let result = Self.decide(row)
        #expect(result.device == row.consequence.device)
        let word = row.reason.isEmpty ? "HTTP \(row.status)" : row.reason
        switch row.consequence.device {
        case .keep, .count, .replaceChannel: #expect(result.retire == nil)
        case .retire: #expect(result.retire == Retirement(reason: word))
        case .retireIfRegisteredBefore: #expect(result.retire == Retirement(reason: word, invalidSince: Self.since))
        }
    }

    @Test("disposition, scope and device action agree in every row", arguments: DispositionTable.rows)
    func agreement(row: DispositionTable.Row) {
        let consequence = row.consequence
        #expect(consequence.device.isRetirement == (row.disposition == .unregistered))
        if row.disposition == .suspect { #expect(consequence.device == .count) }
        if row.disposition.isFinal { #expect(consequence.scope == .none && consequence.pause == nil) }
        if row.disposition == .reconnect { #expect(consequence.scope == .connection) }
        if row.disposition == .stop { #expect([.app, .credential].contains(consequence.scope)) }
        if consequence.device == .replaceChannel { #expect(row.disposition == .accepted) }
        if consequence.scope == .origin { #expect(row.platform == .browser) }
    }

    @Test(
        "an unknown word goes by the row for any word, else by the class of its status, which never retires",
        arguments: Platform.allCases,
        [200, 302, 400, 404, 410, 413, 429, 500, 503, 599]
    )
    func unknownWord(platform: Platform, status: Int) throws {
        let rejection = GatewayRejection(status: status, reason: "Novel", invalidSince: Self.since)
        let found = DispositionTable.consequence(of: .rejected(rejection), platform: platform)
        let row = try DispositionFixture.all()[platform]?.rows.first { $0.status == status && $0.reason.isEmpty }
        guard let row else { return #expect(found == Self.byClass(status, platform)) }
        #expect(DispositionFixture.Row(status: status, reason: "", consequence: found) == row)
    }

    private static func byClass(_ status: Int, _ platform: Platform) -> Consequence {
        switch status {
        case 200: Consequence([.wns, .hms].contains(platform) ? .failed : .accepted)
        case 413: Consequence(.tooLarge)
        case 429: Consequence(.retryAfter, scope: .device)
        case 500...: Consequence(.backoff, scope: platform == .browser ? .origin : .platform)
        default: Consequence(.failed)
        }
    }

    @Test("an unknown word retires on browsers and WNS only, whose bare 404 and 410 are the clear word")
    func unknownRetirements() {
        for platform in Platform.allCases {
            for status in 100..<600 {
                let outcome = DeliveryOutcome.rejected(.init(status: status, reason: "Novel"))
                let device = DispositionTable.consequence(of: outcome, platform: platform).device
                let isClear = [.browser, .wns].contains(platform) && [404, 410].contains(status)
                #expect(device.isRetirement == isClear, "\(platform) \(status)")
            }
        }
    }

    @Test(
        "FCM's word for knowing nothing goes by its status",
        arguments: [
            (400, Disposition.failed), (401, .reauthenticate), (403, .stop), (404, .stop), (429, .retryAfter),
            (500, .backoff), (503, .retryAfter), (599, .backoff),
        ]
    )
    func unspecified(status: Int, expected: Disposition) {
        let outcome = DeliveryOutcome.rejected(.init(status: status, reason: "UNSPECIFIED_ERROR"))
        #expect(DispositionTable.disposition(of: outcome, platform: .fcmV1) == expected)
    }
}
