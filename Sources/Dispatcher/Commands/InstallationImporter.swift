import DispatchCore

/// Reads lines, sorts out the wrong ones and writes the others in chunks.
struct InstallationImporter {
    let store: InstallationStore
    let hubs: HubDirectory
    private(set) var rejected: RejectedLines
    private(set) var imported = 0

    /// Rows of one transaction: a COPY large enough that its commit does not matter.
    private static let chunkSize = 5_000

    /// From this many rows on the planner's statistics and the tag index are brought up to date at once.
    private static let largeImport = 1_000

    init(store: InstallationStore, hubs: HubDirectory, rejected: RejectedLines) {
        self.store = store
        self.hubs = hubs
        self.rejected = rejected
    }

    mutating func run(_ lines: LineReader, totalBytes: Int?) async throws {
        let start = ContinuousClock.now
        var chunk: [InstallationRow] = []
        for line in lines {
            if let row = try await read(line) { chunk.append(row) }
            guard chunk.count == Self.chunkSize else { continue }
            try await flush(&chunk)
            show(line.endOffset, of: totalBytes, since: start)
        }
        try await flush(&chunk)
        Progress.finish()
        try rejected.close()
        if imported >= Self.largeImport { try await store.refreshStatistics() }
    }

    private mutating func read(_ line: NumberedLine) async throws -> InstallationRow? {
        switch Self.decode(line.bytes) {
        case .failure(let error):
            try rejected.add(line: line.number, path: error.path, reason: error.reason)
            return nil
        case .success(let installation):
            guard let hub = try await hubs.hub(named: installation.hub) else {
                try rejected.add(line: line.number, path: "$.hub", reason: "There is no hub with this name.")
                return nil
            }
            return InstallationRow(hub: hub.id, installation: installation)
        }
    }

    private static func decode(_ bytes: [UInt8]) -> Result<Installation, JobError> {
        do throws(JobError) {
            return .success(try Installation(decoding: bytes))
        } catch {
            return .failure(error)
        }
    }

    private mutating func flush(_ chunk: inout [InstallationRow]) async throws {
        guard !chunk.isEmpty else { return }
        try await store.upsert(chunk)
        imported += chunk.count
        chunk.removeAll(keepingCapacity: true)
    }

    private func show(_ offset: Int, of total: Int?, since start: ContinuousClock.Instant) {
        let seconds = max(Double((ContinuousClock.now - start).microseconds) / 1_000_000, 0.001)
        let rate = Int(Double(imported) / seconds)
        let bar = total.map { Progress.bar(done: offset, of: $0) + " " } ?? ""
        Progress.redraw("\(bar)\(imported) installations, \(rate)/s, \(rejected.count) rejected")
    }
}

/// An installation with the number of its hub.
struct InstallationRow: Sendable {
    let hub: Int32
    let installation: Installation

    /// Whether it came by a message that was handed out before.
    var isRedelivered = false
}
