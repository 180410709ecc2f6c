import DispatchCore

/// Gives a batch the templates of its devices, where a notification needs them.
struct TemplateReader: Sendable {
    let store: TemplateStore
    let log: Log
    let backoff: Backoff

    /// The batch with its templates; nil when the drain has run out of time.
    func read(for batch: BatchWork) async -> BatchWork? {
        let parts = batch.parts.filter(\.notification.job.content.isTemplate)
        let devices = parts.flatMap { $0.targets.map(\.installation) }
        guard !devices.isEmpty else { return batch }
        return await backoff.insist("templates.failed", batch: batch.id, log: log) {
            var batch = batch
            batch.templates = try await store.templates(of: devices)
            return batch
        }
    }
}

extension JobContent {
    /// Whether each device's own template is rendered.
    var isTemplate: Bool {
        if case .template = self { true } else { false }
    }
}
