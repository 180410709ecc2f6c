import DispatchCore
import Postgres
import Synchronization

/// Writes down which devices were here, behind the answers and a few at a time.
///
/// What this process has noted it does not note again for a day; the database looks once more, so that several processes
/// write a device once a day all the same.
final class Sightings: Sendable {
    private struct State {
        var noted: Set<InstallationKey> = []
        var waiting: [InstallationKey] = []
        var isWriting = false
        var nextDay = ContinuousClock.now + Sightings.day
    }

    private let pool: PostgresPool
    private let log: Log
    private let state = Mutex(State())

    private static let day = Duration.seconds(86_400)

    /// Devices remembered; beyond that the database is asked more often than needed.
    private static let limit = 1_000_000

    init(pool: PostgresPool, log: Log) {
        self.pool = pool
        self.log = log
    }

    /// A device has shown its secret.
    func note(_ device: InstallationKey) {
        let begins = state.withLock { state -> Bool in
            if ContinuousClock.now >= state.nextDay || state.noted.count >= Self.limit {
                state.noted.removeAll(keepingCapacity: true)
                state.nextDay = .now + Self.day
            }
            guard state.noted.insert(device).inserted else { return false }
            state.waiting.append(device)
            defer { state.isWriting = true }
            return !state.isWriting
        }
        if begins { Task { await write() } }
    }

    private func write() async {
        while let devices = next() {
            let statement = PostgresStatement(
                "SELECT dispatcher.note_seen($1)",
                [.int8s(devices.map(\.rawValue))]
            )
            do {
                try await pool.withSession { session throws(PostgresError) in _ = try session.execute(statement) }
            } catch {
                // No harm: it is noted when the device comes on another day.
                log.warning("sightings.unwritten", ["count": devices.count, "error": error])
            }
        }
    }

    private func next() -> [InstallationKey]? {
        state.withLock { state in
            guard !state.waiting.isEmpty else {
                state.isWriting = false
                return nil
            }
            let devices = Array(state.waiting.prefix(1_000))
            state.waiting.removeFirst(devices.count)
            return devices
        }
    }
}
