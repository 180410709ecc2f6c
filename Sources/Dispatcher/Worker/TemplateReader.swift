import DispatchCore

/// Gives a batch the templates of its devices, where a notification needs them.
struct TemplateReader: Sendable {
    let store: TemplateStore
    let log: Log
    let backoff: Backoff

    /// The batch with its templates; nil when the drain has run out of time, and the lease brings the batch back.
    ///
    /// While the database is away it waits: the batch could not be recorded either.
    func read(for batch: BatchWork) async -> BatchWork? {
        let parts = batch.parts.filter(\.notification.job.content.isTemplate)
        let devices = parts.flatMap { $0.targets.map(\.installation) }
        guard !devices.isEmpty else { return batch }
        var failures = 0
        while true {
            do {
                var batch = batch
                batch.templates = try await store.templates(of: devices)
                return batch
            } catch {
                guard !Task.isCancelled else { return nil }
                failures += 1
                log.warning("templates.failed", ["batch": batch.id, "failures": failures, "error": error])
                await backoff.wait(failures)
            }
        }
    }
}

extension JobContent {
    /// Whether each device's own template is rendered.
    var isTemplate: Bool {
        if case .template = self { true } else { false }
    }
}
