import DispatchCore
import Testing

struct ParkingTests {
    private let now = ChannelExample.start

    private func due(_ wait: Int64, _ rest: Int64, seed: UInt64) -> Int64 {
        var random = SplitMix(seed: seed)
        let result = DeliveryResult.parked(
            by: ChannelHold(until: now + .microseconds(wait), reason: "ChannelPaused: x"),
            attempts: 2,
            now: now,
            expiresAt: now + .microseconds(rest),
            using: &random
        )
        #expect(result.state == .retrying && result.attempts == 2 && result.isParked && result.disposition == nil)
        #expect(result.reason == "ChannelPaused: x" && result.retire == nil && !result.isAmbiguous)
        return (result.nextAttemptAt ?? now).microseconds - now.microseconds
    }

    @Test("a parked delivery waits for the pause's end and a little more", arguments: 0..<50 as Range<UInt64>)
    func spread(seed: UInt64) {
        #expect((5_000_000...7_000_000).contains(due(5_000_000, 86_400_000_000, seed: seed)))
        #expect((300_000_000...330_000_000).contains(due(300_000_000, 86_400_000_000, seed: seed)))
        #expect(due(-5, 86_400_000_000, seed: seed) >= 100_000)
    }

    @Test("close to the expiry it tries once more in the second half, at last it waits for the expiry itself")
    func expiry() {
        for seed in 0..<50 as Range<UInt64> {
            #expect((5_000_000..<10_000_000).contains(due(300_000_000, 10_000_000, seed: seed)))
            #expect((150_000..<300_000).contains(due(300_000_000, 300_000, seed: seed)))
        }
        #expect(due(300_000_000, 200_000, seed: 1) == 200_000)
        #expect(due(300_000_000, 1, seed: 1) == 1)
    }

    @Test("what waits knows what for; for a budget it keeps the reason of its last attempt")
    func key() {
        var random = SplitMix(seed: 1)
        let hold = ChannelHold(until: now + .seconds(1), reason: nil, key: ChannelExample.key)
        let later = now + .seconds(60)
        let held = DeliveryResult.parked(by: hold, attempts: 1, now: now, expiresAt: later, using: &random)
        #expect(held.reason == nil && held.parkedFor == ChannelExample.key && held.isParked)
        #expect(ChannelExample.result(ChannelExample.refused).parkedFor == nil)
    }
}
