import Testing

@testable import DispatchCore
@testable import Dispatcher

@Suite struct BatchRecordTests {
    private static let now = Timestamp(seconds: 1_800_000_000)

    private static func result(
        _ state: DeliveryState,
        attempts: Int = 1,
        isAmbiguous: Bool = false,
        next: Timestamp? = nil,
        retire: Retirement? = nil
    ) -> DeliveryResult {
        DeliveryResult(
            state: state,
            reason: state == .accepted ? nil : "Reason",
            attempts: attempts,
            isAmbiguous: isAmbiguous,
            nextAttemptAt: next,
            retire: retire,
            disposition: state == .retrying ? .backoff : nil
        )
    }

    @Test("answered deliveries become rows, counts and outcomes; unanswered ones nothing")
    func answered() throws {
        let batch = try WorkExample.batch([3, 2])
        let results = [Self.result(.accepted), nil, Self.result(.failed), Self.result(.accepted), nil]
        let record = BatchRecord(batch, results: results, at: Self.now)
        #expect(record.deliveries.map(\.installation.rawValue) == [1, 3, 4])
        #expect(record.deliveries.map(\.notification.rawValue) == [100, 100, 101])
        #expect(record.deliveries.map(\.state) == [.accepted, .failed, .accepted])
        #expect(record.progress.entries.map(\.delta) == [1, 1, 1])
        #expect(record.outcomes.values.reduce(0, +) == 3)
        #expect(record.outcomes.count == 2)
        #expect(record.retries.isEmpty && record.retirements.isEmpty)
    }

    @Test("a delivery to be tried again is due with the next attempt's number")
    func retries() throws {
        let due = Self.now + .seconds(3)
        let batch = try WorkExample.batch([1])
        let record = BatchRecord(batch, results: [Self.result(.retrying, attempts: 2, next: due)], at: Self.now)
        #expect(record.retries.map(\.attempt) == [3])
        #expect(record.retries.map(\.dueAt) == [due])
        #expect(record.deliveries.map(\.attempts) == [2])
    }

    @Test("a dead channel retires its installation, with the gateway's time")
    func retirements() throws {
        let retirement = Retirement(reason: "Unregistered", invalidSince: Self.now)
        let batch = try WorkExample.batch([2])
        let results = [Self.result(.failed, retire: retirement), Self.result(.accepted)]
        let record = BatchRecord(batch, results: results, at: Self.now)
        #expect(record.retirements.map(\.installation.rawValue) == [1])
        #expect(record.retirements.map(\.invalidSince) == [Self.now])
    }

    @Test("every row of a rescued batch is ambiguous; else only those that are by themselves")
    func ambiguity() throws {
        let results = [Self.result(.accepted), Self.result(.accepted, isAmbiguous: true)]
        let plain = BatchRecord(try WorkExample.batch([2]), results: results, at: Self.now)
        #expect(plain.deliveries.map(\.isAmbiguous) == [false, true])
        let rescued = BatchRecord(try WorkExample.batch([2], isAmbiguous: true), results: results, at: Self.now)
        #expect(rescued.deliveries.map(\.isAmbiguous) == [true, true])
    }

    @Test("a retry batch takes its deliveries out of the retrying count")
    func retryBatch() throws {
        let batch = try WorkExample.batch([2], isRetry: true)
        let record = BatchRecord(batch, results: [Self.result(.accepted), Self.result(.failed)], at: Self.now)
        let deltas = Dictionary(uniqueKeysWithValues: record.progress.entries.map { ($0.state, $0.delta) })
        #expect(deltas == [.retrying: -2, .accepted: 1, .failed: 1])
    }
}
