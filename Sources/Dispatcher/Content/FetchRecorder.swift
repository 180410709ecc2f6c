import DispatchCore
import Synchronization

/// Reports that devices have fetched contents, some moments after they were answered: nobody waits for it.
///
/// A device that asks again, as for the parts of a film, is reported once in a while only; the first report counts anyway.
/// What is not written when the process dies is not known to have been fetched.
final class FetchRecorder: Sendable {
    typealias Report = @Sendable (_ receipts: [Receipt], _ hub: Int32) async throws -> Void

    private struct Key: Hashable {
        let installation: InstallationKey
        let job: UUIDValue
    }

    private struct State {
        var waiting: [Int32: [Receipt]] = [:]
        var waitingCount = 0
        var reported: Set<Key> = []
        var task: Task<Void, Never>?
    }

    /// Reports that wait at most; when the database is that far behind, further ones are left out.
    private static let waitingLimit = 10_000
    private static let reportedLimit = 50_000
    private static let wave = 500

    private let report: Report
    private let log: Log
    private let state = Mutex(State())

    init(log: Log, report: @escaping Report) {
        self.log = log
        self.report = report
    }

    /// The device has got the content.
    func note(_ job: UUIDValue, by device: Caller.Device, of caller: Caller, at now: Timestamp) {
        state.withLock { state in
            if state.reported.count >= Self.reportedLimit { state.reported = [] }
            guard state.reported.insert(Key(installation: device.key, job: job)).inserted else { return }
            guard state.waitingCount < Self.waitingLimit else { return }
            let receipt = Receipt(
                id: ReceiptKind.fetched.rawValue,
                hub: caller.hubName,
                notification: .job(job),
                installationID: device.installationID,
                kind: .fetched,
                at: now
            )
            state.waiting[caller.hub, default: []].append(receipt)
            state.waitingCount += 1
            // Ends by itself when nothing waits; `finish` waits for it.
            if state.task == nil { state.task = Task { await run() } }
        }
    }

    /// Waits until everything is reported.
    func finish() async {
        await state.withLock { $0.task }?.value
    }

    private func run() async {
        while let (hub, receipts) = next() {
            do {
                try await report(receipts, hub)
            } catch {
                log.warning("fetches.lost", ["count": receipts.count + forget(), "error": error])
            }
        }
    }

    /// Gives up what waits, so that a database that is away does not hold up the end; who asks again is reported again.
    private func forget() -> Int {
        state.withLock { state in
            defer {
                state.waiting = [:]
                state.waitingCount = 0
                state.reported = []
            }
            return state.waitingCount
        }
    }

    private func next() -> (hub: Int32, receipts: [Receipt])? {
        state.withLock { state in
            guard let (hub, all) = state.waiting.first else {
                state.task = nil
                return nil
            }
            let wave = Array(all.prefix(Self.wave))
            state.waiting[hub] = all.count == wave.count ? nil : Array(all.dropFirst(wave.count))
            state.waitingCount -= wave.count
            return (hub, wave)
        }
    }
}
