import Testing

@testable import DispatchCore

struct ChannelBookTests {
    typealias Example = ChannelExample
    private let start = Example.start

    private func opened(_ answers: [(Int, DeliveryOutcome)], on key: ChannelKey = Example.key) -> ChannelPause? {
        var book = ChannelBook()
        return book.observe(Example.report(answers, on: key), now: start).first?.pause
    }

    @Test("fifty dead channels without a success stop the channel; forty-nine, or one success in twenty, do not")
    func guardTrips() {
        #expect(opened([(50, Example.suspect)])?.cause == .dead)
        #expect(opened([(50, Example.gone(since: nil))])?.cause == .dead)
        #expect(opened([(49, Example.suspect)]) == nil)
        #expect(opened([(95, Example.suspect), (5, Example.accepted)]) == nil)
        #expect(opened([(96, Example.suspect), (4, Example.accepted)])?.cause == .dead)
        #expect(opened([(50, Example.suspect)])?.key == Example.key)
    }

    @Test("a device that died a while ago by the gateway's date is its clear word; one of this moment is not")
    func datedWord() {
        #expect(opened([(1_000, Example.gone(since: start + .seconds(-601)))]) == nil)
        #expect(opened([(50, Example.gone(since: start + .seconds(-599)))])?.cause == .dead)
    }

    @Test("a trickle of up to one dead device in twenty never stops a channel", arguments: 0..<20 as Range<UInt64>)
    func trickle(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var book = ChannelBook()
        for step in 0..<2_000 {
            let now = start + .milliseconds(100 * step)
            let dead = (0..<450).count { _ in random.next() % 100 < seed % 5 + 1 }
            let answers = [(450 - dead, Example.accepted), (dead, Example.gone(since: now))]
            #expect(book.observe(Example.report(answers, at: now), now: now).isEmpty)
        }
        #expect(book.pauses.isEmpty)
    }

    @Test("a minute forgets: fifty dead channels over an hour prove nothing")
    func slowDeath() {
        var book = ChannelBook()
        for step in 0..<500 {
            let now = start + .seconds(2 * step)
            #expect(book.observe(Example.report([(1, Example.suspect)], at: now), now: now).isEmpty)
        }
    }

    @Test("a storm after healthy traffic opens the circuit within three seconds, whatever came before")
    func storm() {
        var book = ChannelBook()
        for step in 0..<600 {
            let now = start + .milliseconds(100 * step)
            #expect(book.observe(Example.report([(450, Example.accepted)], at: now), now: now).isEmpty)
        }
        let begin = start + .seconds(60)
        let opening = (0..<50).lazy.map { begin + .milliseconds(100 * $0) }.first { now in
            !book.observe(Example.report([(5, Example.unavailable)], at: now), now: now).isEmpty
        }
        #expect((opening ?? begin + .seconds(60)) - begin <= .seconds(3))
        #expect(book.pauses[Example.key]?.cause == .unavailable)
    }

    @Test("failures beside a fifth of successes, or a handful of failures, are left to the retries")
    func noStorm() {
        #expect(opened([(80, Example.unavailable), (20, Example.accepted)]) == nil)
        #expect(opened([(81, Example.unavailable), (19, Example.accepted)])?.cause == .unavailable)
        #expect(opened([(19, Example.unavailable)]) == nil)
        #expect(opened([(1_000, Example.device)]) == nil)
        #expect(opened([(20, .unanswered)])?.reason == "NoAnswer")
    }

    @Test("a channel with little traffic that only fails opens too")
    func slowStorm() {
        var book = ChannelBook()
        let opening = (0..<60).first { step in
            let now = start + .seconds(2 * step)
            return !book.observe(Example.report([(1, Example.unavailable)], at: now), now: now).isEmpty
        }
        #expect(opening == 19)
    }

    @Test("a refused credential stops all its topics at once, unless pushes are accepted beside it")
    func refusal() {
        let pause = opened([(1, Example.refused)])
        #expect(pause?.cause == .refused && pause?.reason == "InvalidProviderToken")
        #expect(pause?.key == ChannelKey(hub: 1, platform: .apns))
        #expect(opened([(1, Example.rejected(400, "BadTopic"))])?.key == Example.key)
        #expect(opened([(1, Example.refused), (1, Example.accepted)]) == nil)
        var book = ChannelBook()
        _ = book.observe(Example.report([(450, Example.accepted)]), now: start)
        for _ in 0..<4 { #expect(book.observe(Example.report([(1, Example.refused)]), now: start).isEmpty) }
        #expect(book.observe(Example.report([(1, Example.refused)]), now: start).count == 1)
    }

    @Test("a new credential that is refused as well is a refusal")
    func reauthentication() {
        let answer = Example.rejected(401, "UNAUTHENTICATED")
        let key = ChannelKey(hub: 1, platform: .fcmV1)
        var book = ChannelBook()
        #expect(book.observe(Example.report([(1, answer)], on: key), now: start).isEmpty)
        let changes = book.observe(Example.report([(1, answer)], on: key, attempt: 2), now: start)
        #expect(changes.first?.pause?.cause == .refused)
    }

    @Test("a Retry-After pauses its scope, not when one answer in a hundred asks for it")
    func retryAfter() {
        let key = ChannelKey(hub: 1, platform: .fcmV1)
        let answer = Example.rejected(429, "QUOTA_EXCEEDED", retryAfter: .seconds(7))
        let pause = opened([(1, answer), (19, Example.accepted)], on: key)
        #expect(pause?.cause == .throttled && pause?.key == key && pause?.until == start + .seconds(7))
        #expect(opened([(1, answer), (20, Example.accepted)], on: key) == nil)
        let outage = Example.rejected(503, "UNAVAILABLE", retryAfter: .seconds(9))
        #expect(opened([(1, outage)], on: key)?.key == ChannelKey(hub: 0, platform: .fcmV1))
        #expect(opened([(1, Example.device)]) == nil)
        let web = ChannelKey(hub: 1, platform: .browser, target: "https://a")
        let slow = Example.rejected(429, "", retryAfter: .seconds(5))
        #expect(opened([(1, slow)], on: web)?.key == ChannelKey(hub: 0, platform: .browser, target: "https://a"))
    }

    @Test("while a channel is stopped nothing goes out; then three probes, and no more before the verdict")
    func probes() {
        var book = ChannelBook()
        _ = book.observe(Example.report([(20, Example.unavailable)]), now: start)
        let hold = book.hold(Example.key, now: start + .milliseconds(4_999))
        #expect(
            hold
                == ChannelHold(
                    until: start + .seconds(5),
                    reason: "ChannelPaused: ServiceUnavailable",
                    key: Example.key
                )
        )
        #expect(book.hold(ChannelKey(hub: 1, platform: .apns, target: "other"), now: start) == nil)
        let later = start + .seconds(5)
        let sent = (0..<10).count { _ in book.hold(Example.key, now: later) == nil }
        #expect(sent == 3)
        #expect(book.hold(Example.key, now: later)?.until == later + .seconds(2))
        #expect((0..<10).count { _ in book.hold(Example.key, now: later + .seconds(2)) == nil } == 3)
    }

    @Test("probes that come through resume the channel; those that fail double the pause up to five minutes")
    func verdicts() {
        var book = ChannelBook()
        var now = start
        var change = book.observe(Example.report([(20, Example.unavailable)]), now: now).first
        var pauses: [Duration] = []
        for _ in 0..<8 {
            let until = change?.pause?.until ?? now
            pauses.append(until - now)
            now = until
            change = book.observe(Example.report([(3, Example.unavailable)], at: now), now: now).first
        }
        #expect(pauses == [5, 10, 20, 40, 80, 160, 300, 300].map { Duration.seconds($0) })
        now = now + .seconds(300)
        let closing = book.observe(
            Example.report([(2, Example.accepted), (1, Example.unavailable)], at: now),
            now: now
        )
        #expect(closing == [.close(Example.key, revision: 8)])
        #expect(book.pauses.isEmpty && book.hold(Example.key, now: now) == nil)
    }

    @Test("answers to what was sent before the stop decide nothing")
    func stragglers() {
        var book = ChannelBook()
        _ = book.observe(Example.report([(20, Example.unavailable)]), now: start)
        #expect(book.observe(Example.report([(450, Example.accepted)]), now: start + .seconds(1)).isEmpty)
        #expect(book.pauses.count == 1)
    }

    @Test("the guard is lifted by a success or a dated word, not by more dead devices, and other causes by any answer")
    func guardVerdicts() {
        func verdict(_ first: DeliveryOutcome, _ probe: DeliveryOutcome) -> ChannelChange? {
            var book = ChannelBook()
            let pause = book.observe(Example.report([(50, first)]), now: start).first?.pause
            let now = pause?.until ?? start
            return book.observe(Example.report([(3, probe)], at: now), now: now).first
        }
        let close = ChannelChange.close(Example.key, revision: 0)
        #expect(verdict(Example.suspect, Example.accepted) == close)
        #expect(verdict(Example.suspect, Example.gone(since: start + .seconds(-3_600))) == close)
        #expect(verdict(Example.suspect, Example.suspect)?.pause?.cause == .dead)
        #expect(verdict(Example.suspect, Example.refused)?.pause?.cause == .dead)
        #expect(verdict(Example.suspect, Example.rejected(413, "PayloadTooLarge")) == nil)
        #expect(verdict(Example.unavailable, Example.suspect) == close)
        #expect(verdict(Example.unavailable, Example.refused)?.pause?.cause == .refused)
    }

    @Test("the guard leaves alone what an operator trusts; a circuit does not")
    func trusted() {
        var book = ChannelBook()
        book.replace([], trusted: [Example.key])
        #expect(book.observe(Example.report([(500, Example.suspect)]), now: start).isEmpty)
        #expect(book.observe(Example.report([(500, Example.unavailable)]), now: start).count == 1)
    }

    @Test("deliveries that ended without an attempt say nothing")
    func noAnswers() {
        var report = ChannelReport(Example.key)
        report.add(.ended(.expired, reason: "Expired", attempts: 0), attempt: 1, now: start)
        var random = SplitMix(seed: 1)
        let hold = ChannelHold(until: start + .seconds(5), reason: "x")
        let later = start + .seconds(60)
        report.add(
            .parked(by: hold, attempts: 0, now: start, expiresAt: later, using: &random),
            attempt: 1,
            now: start
        )
        #expect(report.isEmpty)
    }

    @Test("a round is its cause's own: a limit that was met again and again does not make an outage longer")
    func rounds() {
        let asked = Example.rejected(429, "QUOTA_EXCEEDED", retryAfter: .seconds(3))
        let key = ChannelKey(hub: 1, platform: .fcmV1)
        var book = ChannelBook()
        var change = book.observe(Example.report([(20, asked)], on: key), now: start).first
        var rounds: [Int] = []
        for answer in [asked, asked, Example.rejected(503, "INTERNAL"), Example.rejected(503, "INTERNAL")] {
            let now = change?.pause?.until ?? start
            change = book.observe(Example.report([(3, answer)], on: key, at: now), now: now).first
            rounds.append(change?.pause?.round ?? 0)
            if answer != asked, rounds.count == 3 {
                #expect(change?.pause?.cause == .unavailable && change?.pause?.until == now + .seconds(5))
            }
        }
        #expect(rounds == [2, 3, 1, 2])
        #expect(change?.pause?.revision == 4)
    }

    @Test("a stop in one environment of APNs stops nothing in the other")
    func environments() {
        var book = ChannelBook()
        let sandbox = ChannelKey(hub: 1, platform: .apns, target: Example.key.target, isSandbox: true)
        _ = book.observe(Example.report([(20, Example.refused)], on: sandbox), now: start)
        #expect(book.hold(sandbox, now: start) != nil)
        #expect(book.hold(Example.key, now: start) == nil)
    }

    @Test("a hundred failures in a row over a second are a storm, whatever was accepted just before; a cut is none")
    func run() {
        func opens(_ answers: [(Int, DeliveryOutcome)], after wait: Duration) -> Bool {
            var book = ChannelBook()
            _ = book.observe(Example.report([(5_000, Example.accepted)]), now: start)
            _ = book.observe(Example.report([(200, Example.unavailable)]), now: start)
            return !book.observe(Example.report(answers, at: start + wait), now: start + wait).isEmpty
        }
        #expect(opens([(1, Example.unavailable)], after: .seconds(1)))
        #expect(!opens([(1, Example.unavailable)], after: .milliseconds(900)))
        #expect(!opens([(200, Example.unavailable), (60, Example.accepted)], after: .seconds(1)))
        #expect(!opens([(200, Example.device)], after: .seconds(1)))
    }
}
