import DispatchCore
import Testing

@testable import Dispatcher

@Suite("The database's time")
struct DatabaseTimeTests {
    /// The database's clock reads 1,000 s more than the own one; answers are under way for as long as said.
    private func told(_ time: inout DatabaseTime, at own: Int64, late: Int64, stopped: Int64 = 0) {
        let askedAt = own - late - stopped
        time.synchronise(
            with: Timestamp(microseconds: askedAt + late + 1_000_000_000),
            askedAt: askedAt,
            answeredAt: own
        )
    }

    @Test("a clock that knows nothing is right within the answer's way")
    func first() {
        for offset in [Int64(-3_600_000_000), 0, 90_000_000_000] {
            var time = DatabaseTime(offset: offset)
            told(&time, at: 5_000_000, late: 2_000)
            #expect(abs(time.offset - 1_000_000_000) <= 2_000)
        }
    }

    @Test("a process that was stopped before it read the answer keeps its time")
    func stopped() {
        var time = DatabaseTime(offset: 0)
        told(&time, at: 5_000_000, late: 2_000)
        let known = time
        told(&time, at: 60_000_000, late: 2_000, stopped: 40_000_000)
        #expect(time.offset == known.offset)
        #expect(time.at(60_000_000) == Timestamp(microseconds: 60_000_000 + known.offset))
    }

    @Test("a database whose clock is set is followed, both ways")
    func followed() {
        var time = DatabaseTime(offset: 1_000_000_000)
        for shift in [Int64(-3_600_000_000), 3_600_000_000] {
            time.synchronise(
                with: Timestamp(microseconds: 7_000_000 + shift),
                askedAt: 6_998_000,
                answeredAt: 7_000_000
            )
            #expect(abs(time.offset - shift) <= 2_000)
        }
    }
}
