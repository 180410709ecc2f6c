import DispatchCore
import Synchronization

/// The tombstones as this worker knows them: read again every second, and at once when a marker is met here.
final class ErasureWatch: Sendable {
    private let store: ErasureStore
    private let known = Mutex<(version: ErasureStore.Version?, tombstones: Tombstones)>((nil, Tombstones()))

    init(store: ErasureStore) {
        self.store = store
    }

    var tombstones: Tombstones { known.withLock { $0.tombstones } }

    /// Reads them again if there are others.
    func refresh() async throws {
        let version = try await store.version()
        guard known.withLock({ $0.version != version }) else { return }
        let tombstones = try await store.tombstones()
        known.withLock { $0 = (version, tombstones) }
    }

    /// A marker has come to the front of its queue: what comes now was published after the erasure.
    func meet(_ marker: ErasureMarker, queue: MarkedQueue) async throws {
        try await store.meet(marker.erasure, queue: queue)
        try await refresh()
    }

    /// What the tombstones leave of a job that a lane has taken.
    func trace(of job: SendJob, body: [UInt8], hub: Int32, lane: Lane) -> WaveJob.Trace {
        let stones = tombstones
        guard stones.concerns(hub) else { return .none }
        let early = JobRedaction(job, body: body) { stones.contain($0, $1, hub: hub, .unmarked(MarkedQueue(lane))) }
        switch early {
        case .emptied: return .stopped
        case .redacted(let left, let body): return .redacted(left, body: body)
        case .unaffected: break
        }
        if case .emptied = JobRedaction(job, body: body, isErased: { stones.contain($0, $1, hub: hub, .any) }) {
            return .departed
        }
        return .none
    }
}
